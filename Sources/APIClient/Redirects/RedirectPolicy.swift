// SPDX-License-Identifier: Apache-2.0

/// A policy for following redirects.
///
/// No redirect is followed from https to http, to a URL with a user, or to an unreadable URL. After a change of origin
/// the call continues without its credentials: `Authorization`, `Cookie`, `DPoP`, `Proxy-Authorization`, `X-API-Key`,
/// and the fields in ``APIClient/Configuration/sensitiveHeaderFields``. They do not return if a later redirect leads
/// back.
///
/// [RFC 9110, 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4).
public struct RedirectPolicy: Sendable, Hashable {
    enum Reach: Hashable {
        case sameOrigin
        case anyOrigin
    }

    let reach: Reach
    let maximum: Int

    /// The policy that follows no redirect: a redirect is ``APIError`` `redirected`.
    public static let refuse = RedirectPolicy(reach: .sameOrigin, maximum: 0)

    /// Follows redirects that keep scheme, host and port.
    ///
    /// The default of a client: a server may move a resource, and nothing leaves the server. A redirect to another
    /// origin is ``APIError`` `redirected`, because that origin's response would pass for the API's.
    ///
    /// - Parameter maximum: The largest number of redirects in a row.
    /// - Returns: The policy.
    public static func sameOrigin(maximum: Int = 5) -> RedirectPolicy {
        RedirectPolicy(reach: .sameOrigin, maximum: maximum)
    }

    /// Follows redirects to any https URL, without credentials if the origin changes.
    ///
    /// For downloads that an API hands over to a file server. A 307 or 308 sends the body there too.
    ///
    /// - Parameter maximum: The largest number of redirects in a row.
    /// - Returns: The policy.
    public static func anyOrigin(maximum: Int = 5) -> RedirectPolicy {
        RedirectPolicy(reach: .anyOrigin, maximum: maximum)
    }
}
