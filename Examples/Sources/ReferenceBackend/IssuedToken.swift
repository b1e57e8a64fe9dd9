/// A token the backend, or its stand-in for Apple, has just handed out.
public struct IssuedToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// What a token is for.
    public enum Kind: String, Sendable, CaseIterable {
        /// Contract A's one token.
        case sessionToken
        /// Contract B's access token.
        case accessToken
        /// Contract B's refresh token.
        case refreshToken
        /// The stand-in's identity token.
        case identityToken
        /// The stand-in's own access token, of no use anywhere.
        case standInAccessToken
        /// The stand-in's authorization code.
        case authorizationCode
    }

    /// What the token is for.
    public let kind: Kind
    /// The token as it went over the wire.
    ///
    /// Secret.
    public let rawValue: String

    init(_ kind: Kind, _ rawValue: String) {
        self.kind = kind
        self.rawValue = rawValue
    }

    /// The kind; never the token.
    public var description: String { "\(kind.rawValue) <redacted>" }

    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
