package import APIClient
package import AuthCore

/// The exchange of an access token for one that is for another API.
///
/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
enum TokenExchange {
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    /// The types of tokens that can be used as an access token; nil from a server that omits the type.
    fileprivate static let usableTypes: Set<String?> = [
        accessTokenType, "urn:ietf:params:oauth:token-type:jwt", nil,
    ]

    /// Returns the form's fields without the target's.
    ///
    /// Secret.
    fileprivate static func form(with subject: AccessToken) -> [(String, String)] {
        [
            ("grant_type", TokenEndpoint.tokenExchangeGrant),
            ("subject_token", subject.unredacted),
            ("subject_token_type", accessTokenType),
            ("requested_token_type", accessTokenType),
        ]
    }
}

extension OpenIDProvider {
    /// Exchanges an access token for one that is for another API.
    ///
    /// The old token stays valid. A refresh token in the response is dropped.
    ///
    /// - Parameters:
    ///   - token: The access token. Secret.
    ///   - target: The API that the new token is for.
    ///   - dpopKey: The key that both tokens are bound to; nil for bearer tokens.
    /// - Returns: The new access token, which is bound to the key if there is one. Secret.
    /// - Throws: ``TokenEndpointError``, `refused` with the provider's code if the exchange is not allowed, and
    ///   `invalidResponse` if the new token is not an access token, or not bound to the key; `CancellationError`.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:token-exchange`.
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    package func exchanged(
        _ token: AccessToken,
        for target: TokenTarget,
        dpopKey: DPoPKey?
    ) async throws -> TokenSet {
        let start = settings.now()
        let response = try await TokenEndpoint(provider: self)
            .exchange(TokenExchange.form(with: token) + target.form, dpopKey: dpopKey)
        guard TokenExchange.usableTypes.contains(response.issuedTokenType) else {
            throw TokenEndpointError(.invalidResponse)
        }
        var tokens = try response.tokens(requestedAt: start, idToken: nil)
        tokens.refreshToken = nil
        return tokens
    }
}
