import APIClient
public import AuthCore

/// One attempt to sign a person in at a provider: code flow, PKCE S256, state and nonce, always.
///
/// [RFC 6749, 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1),
/// [RFC 7636, 4.3](https://www.rfc-editor.org/rfc/rfc7636#section-4.3).
public struct AuthorizationRequest: Sendable {
    /// The provider.
    public let provider: ProviderMetadata
    /// The client ID, which is no secret.
    public let clientID: String
    /// Where the response comes back to.
    public let redirectURI: String
    /// The scopes asked for.
    public let scope: Scope
    /// What the ID token must carry as `nonce`: public, for the raw one may stay with the caller.
    public let nonce: String
    let state = State()
    let codeVerifier = CodeVerifier()

    /// Makes a request with a state and a code verifier of its own.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - clientID: The client ID.
    ///   - redirectURI: Where the response comes back to.
    ///   - scope: The scopes to ask for.
    ///   - nonce: What the ID token must carry.
    public init(
        provider: ProviderMetadata,
        clientID: String,
        redirectURI: String,
        scope: Scope = "openid profile email",
        nonce: String
    ) {
        self.provider = provider
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scope = scope
        self.nonce = nonce
    }

    /// What the browser opens.
    ///
    /// Holds the state: not for logs.
    public var url: String {
        let items = [
            ("response_type", "code"),
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("scope", scope.description),
            ("state", state.unredacted),
            ("nonce", nonce),
            ("code_challenge", codeVerifier.codeChallenge),
            ("code_challenge_method", "S256"),
        ]
        return provider.authorizationEndpoint.description + "?" + FormEncoding.encode(items)
    }
}
