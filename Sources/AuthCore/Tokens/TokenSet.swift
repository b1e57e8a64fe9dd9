/// The tokens of one session, as one answer of the server gave them or as they were merged.
///
/// Printing one shows no token.
public struct TokenSet: Sendable, Equatable {
    /// What requests show.
    ///
    /// Secret.
    ///
    /// Wire: `access_token`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var accessToken: AccessToken
    /// When the access token was got and when it ends.
    ///
    /// Wire: `expires_in`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var lifetime: TokenLifetime
    /// What a new access token is asked for with, where the server gave one.
    ///
    /// Secret.
    ///
    /// Wire: `refresh_token`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var refreshToken: RefreshToken?
    /// The ID token, where the server gave one.
    ///
    /// Not verified by being here. Secret.
    ///
    /// Wire: `id_token`.
    /// [OpenID Connect Core 1.0, 3.1.3.3](https://openid.net/specs/openid-connect-core-1_0.html#TokenResponse).
    public var idToken: IDToken?
    /// What the access token is good for, in the server's words.
    ///
    /// Nil where it did not say, which means: what was asked for.
    ///
    /// Wire: `scope`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var scope: Scope?
    /// The private key that the tokens are bound to, where they are: a proof of it goes with each request.
    ///
    /// Secret. [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
    package var proofKey: SecretBytes?

    /// Makes a set.
    ///
    /// - Parameters:
    ///   - accessToken: What requests show. Secret.
    ///   - lifetime: When it was got and when it ends.
    ///   - refreshToken: Where the server gave one. Secret.
    ///   - idToken: Where the server gave one. Secret.
    ///   - scope: Where the server said.
    public init(
        accessToken: AccessToken,
        lifetime: TokenLifetime,
        refreshToken: RefreshToken? = nil,
        idToken: IDToken? = nil,
        scope: Scope? = nil
    ) {
        self.accessToken = accessToken
        self.lifetime = lifetime
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.scope = scope
    }

    /// This set as a refresh leaves it: what the answer omits stays.
    ///
    /// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6): a server that issues no new refresh token
    /// leaves the old one in force, and an omitted scope means the scope is unchanged.
    ///
    /// - Parameter answer: What the refresh answered.
    /// - Returns: The answer's access token and lifetime, and for the rest the answer's where it has one.
    public func merging(_ answer: TokenSet) -> TokenSet {
        var merged = TokenSet(
            accessToken: answer.accessToken,
            lifetime: answer.lifetime,
            refreshToken: answer.refreshToken ?? refreshToken,
            idToken: answer.idToken ?? idToken,
            scope: answer.scope ?? scope
        )
        merged.proofKey = proofKey
        return merged
    }
}
