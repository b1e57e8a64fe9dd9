/// Which redirects are followed.
///
/// No redirect leads from https to http, to an address with a user in it, or to one that can't be read. After a change of
/// origin the call goes on without its credentials: `Authorization`, `Cookie`, `DPoP`, `Proxy-Authorization`,
/// `X-API-Key`, and the fields that ``APIClient/Configuration/credentialFields`` names; they do not come back where the
/// way leads back.
///
/// [RFC 9110, 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4).
public struct RedirectPolicy: Sendable, Hashable {
    enum Reach: Hashable {
        case sameOrigin
        case anyOrigin
    }

    let reach: Reach
    let maximum: Int

    /// None: a redirect is ``APIError`` `redirected`.
    public static let refuse = RedirectPolicy(reach: .sameOrigin, maximum: 0)

    /// Those that stay at scheme, host and port.
    ///
    /// The default of a client: a server may move what it has, and nothing leaves it. A redirect to anybody else is
    /// ``APIError`` `redirected`, because an answer of theirs would pass for the API's.
    ///
    /// - Parameter maximum: How many in a row.
    /// - Returns: The policy.
    public static func sameOrigin(maximum: Int = 5) -> RedirectPolicy {
        RedirectPolicy(reach: .sameOrigin, maximum: maximum)
    }

    /// Those to any https address, without credentials where the origin changes.
    ///
    /// For downloads that an API hands over to a file server. A body that a 307 or 308 asks for again goes there too.
    ///
    /// - Parameter maximum: How many in a row.
    /// - Returns: The policy.
    public static func anyOrigin(maximum: Int = 5) -> RedirectPolicy {
        RedirectPolicy(reach: .anyOrigin, maximum: maximum)
    }
}
