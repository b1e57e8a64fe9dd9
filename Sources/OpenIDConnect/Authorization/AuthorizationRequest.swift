package import AuthCore

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
    /// What is asked for.
    public let parameters: AuthorizationParameters
    /// What the ID token must carry as `nonce`: public, for the raw one may stay with the caller.
    public let nonce: String
    /// What the tokens are to be bound to; nil for bearer tokens.
    public let proofKey: DPoPKey?
    package let state: State
    package let codeVerifier: CodeVerifier

    /// Makes a request with a state and a code verifier of its own.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - clientID: The client ID.
    ///   - redirectURI: Where the response comes back to.
    ///   - parameters: What is asked for.
    ///   - nonce: What the ID token must carry.
    ///   - proofKey: What the tokens are to be bound to; nil for bearer tokens.
    public init(
        provider: ProviderMetadata,
        clientID: String,
        redirectURI: String,
        parameters: AuthorizationParameters = AuthorizationParameters(),
        nonce: String,
        boundTo proofKey: DPoPKey? = nil
    ) {
        self.init(
            provider: provider,
            clientID: clientID,
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: nonce,
            proofKey: proofKey
        )
    }

    /// Makes a request, or the one again that was kept while the app was away.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - clientID: The client ID.
    ///   - redirectURI: Where the response comes back to.
    ///   - parameters: What is asked for.
    ///   - nonce: What the ID token must carry.
    ///   - proofKey: What the tokens are to be bound to.
    ///   - state: What ties the response to this request. Secret.
    ///   - codeVerifier: What ties the code to this request. Secret.
    package init(
        provider: ProviderMetadata,
        clientID: String,
        redirectURI: String,
        parameters: AuthorizationParameters,
        nonce: String,
        proofKey: DPoPKey?,
        state: State = State(),
        codeVerifier: CodeVerifier = CodeVerifier()
    ) {
        self.provider = provider
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.parameters = parameters
        self.nonce = nonce
        self.proofKey = proofKey
        self.state = state
        self.codeVerifier = codeVerifier
    }

    /// What the browser opens.
    ///
    /// Holds the state: not for logs.
    ///
    /// - Returns: The address.
    /// - Throws: ``AuthorizationError`` (`invalidParameters`).
    public func url() throws(AuthorizationError) -> String {
        provider.authorizationEndpoint.adding(try form())
    }

    /// What the browser opens where the request was pushed: nothing but its name.
    ///
    /// [RFC 9126, 4](https://www.rfc-editor.org/rfc/rfc9126#section-4).
    func url(pushedAs requestURI: String) -> String {
        provider.authorizationEndpoint.adding([("client_id", clientID), ("request_uri", requestURI)])
    }

    /// The whole request as a form.
    func form() throws(AuthorizationError) -> [(String, String)] {
        var form = [
            ("response_type", "code"),
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("state", state.unredacted),
            ("nonce", nonce),
            ("code_challenge", codeVerifier.codeChallenge),
            ("code_challenge_method", "S256"),
        ]
        // RFC 9449, 10: the code, too, is good for who has the key alone.
        if let proofKey { form.append(("dpop_jkt", proofKey.thumbprint)) }
        return form + (try parameters.form())
    }
}

/// State and code verifier are secrets: printed or dumped, a request shows neither.
extension AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    /// Always the same.
    public var description: String { "AuthorizationRequest(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
