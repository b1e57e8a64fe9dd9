// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

/// An authorization request of the code flow, always with PKCE S256 (RFC 7636, 4.3), state and nonce.
public struct AuthorizationRequest: Sendable {
    /// The provider.
    public let provider: ProviderMetadata
    /// The client ID; not secret.
    public let clientID: String
    /// The URI that the response is sent to.
    public let redirectURI: String
    /// The parameters that the app chose, with those of the provider's profile.
    public let parameters: AuthorizationParameters
    /// The nonce that the ID token must contain, or its hash; not secret, because the URL contains it.
    public let nonce: String
    /// The key that the tokens are bound to; nil for bearer tokens.
    public let dpopKey: DPoPKey?
    package let state: OAuthState
    package let codeVerifier: CodeVerifier

    /// Creates a request with a new state and a new code verifier.
    public init(
        provider: ProviderMetadata,
        clientID: String,
        redirectURI: String,
        parameters: AuthorizationParameters = AuthorizationParameters(),
        nonce: String,
        dpopKey: DPoPKey? = nil
    ) {
        self.init(
            provider: provider,
            clientID: clientID,
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: nonce,
            dpopKey: dpopKey,
            state: OAuthState(),
            codeVerifier: CodeVerifier()
        )
    }

    /// Creates a request, or restores a stored one with its secret state and code verifier.
    package init(
        provider: ProviderMetadata,
        clientID: String,
        redirectURI: String,
        parameters: AuthorizationParameters,
        nonce: String,
        dpopKey: DPoPKey?,
        state: OAuthState,
        codeVerifier: CodeVerifier
    ) {
        self.provider = provider
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.parameters = parameters.completed(for: provider)
        self.nonce = nonce
        self.dpopKey = dpopKey
        self.state = state
        self.codeVerifier = codeVerifier
    }

    /// Returns the URL that the browser opens; it contains the state: don't log it.
    ///
    /// Throws `invalidRequest` if the request must be pushed: ``OpenIDProvider/authorizationURL(for:pushed:)``.
    public func url() throws(OpenIDError) -> String {
        // FAPI 2.0 Security Profile, 5.3.3.2, item 6: nothing but the client ID and the request URI is in the browser.
        guard !provider.requirePushedAuthorizationRequests else {
            throw OpenIDError(.pushedAuthorization, .invalidRequest)
        }
        return provider.authorizationEndpoint.adding(try form())
    }

    /// Returns the URL that the browser opens after a pushed request: only client ID and request URI (RFC 9126, 4).
    func url(pushedAs requestURI: String) -> String {
        provider.authorizationEndpoint.adding([("client_id", clientID), ("request_uri", requestURI)])
    }

    func form() throws(OpenIDError) -> [(String, String)] {
        try checkRedirect()
        var form = [
            ("response_type", "code"),
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("state", state.unredacted),
            ("code_challenge", codeVerifier.codeChallenge),
            ("code_challenge_method", "S256"),
        ]
        // Nothing brings it back without an ID token.
        if provider.issuesIDTokens { form.append(("nonce", nonce)) }
        // RFC 9449, 10: binds the authorization code, too, to the key.
        if let dpopKey { form.append(("dpop_jkt", dpopKey.thumbprint)) }
        return form + (try parameters.form(for: provider))
    }
}

/// Hides the state and the code verifier, which are secrets, if a request is printed or dumped.
extension AuthorizationRequest: Redacted {}
