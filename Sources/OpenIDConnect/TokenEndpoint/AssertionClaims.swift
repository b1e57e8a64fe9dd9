public import AuthCore

/// The claims of an assertion with which a program requests a token for itself or for a user.
///
/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
public struct AssertionClaims: Sendable, Hashable {
    /// The longest lifetime that a server such as Google accepts.
    private static let longest = Duration.seconds(3_600)

    /// The name of the signer, such as the client ID or a service account's email address.
    ///
    /// Wire: `iss`.
    public let issuer: String
    /// The user or account that the token is for; nil to send none.
    ///
    /// RFC 7523 requires one. Google requires one only if a service account acts for a user.
    ///
    /// Wire: `sub`.
    public let subject: String?
    /// The server that the assertion is for; nil for the ``ClientAssertionKey/audience`` of the key.
    ///
    /// Wire: `aud`.
    public let audience: String?
    /// The time for which an assertion is valid, from one second to one hour.
    ///
    /// Wire: `exp` minus `iat`.
    public let lifetime: Duration
    /// The other claims by name, such as Google's `scope`.
    ///
    /// They don't replace `iss`, `sub`, `aud`, `iat`, `exp` and `jti`. Stored with a session; not secret.
    public let additionalClaims: [String: JSONValue]

    /// Creates claims.
    ///
    /// - Parameters:
    ///   - issuer: The name of the signer.
    ///   - subject: The user or account that the token is for; nil to send none.
    ///   - audience: The server that the assertion is for; nil for the audience of the key.
    ///   - lifetime: The time for which an assertion is valid. More than an hour counts as an hour, less than a second
    ///     as a second.
    ///   - additionalClaims: The other claims by name.
    public init(
        issuer: String,
        subject: String? = nil,
        audience: String? = nil,
        lifetime: Duration = .seconds(300),
        additionalClaims: [String: JSONValue] = [:]
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.lifetime = min(max(lifetime, .seconds(1)), Self.longest)
        self.additionalClaims = additionalClaims
    }

    /// Returns the claims of one assertion, without its ID.
    ///
    /// - Parameters:
    ///   - usual: The audience if the claims name none.
    ///   - issuedAt: The time in seconds since 1970, by the server's clock as far as it is known.
    /// - Returns: The claims by name.
    func members(audience usual: String, issuedAt: Int64) -> [String: JSONValue] {
        var members = additionalClaims
        members["iss"] = .string(issuer)
        members["sub"] = subject.map { .string($0) }
        members["aud"] = .string(audience ?? usual)
        members["iat"] = .integer(issuedAt)
        members["exp"] = .integer(issuedAt + lifetime.components.seconds)
        return members
    }
}
