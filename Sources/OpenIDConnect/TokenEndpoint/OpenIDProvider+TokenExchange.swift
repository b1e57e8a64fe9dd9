// SPDX-License-Identifier: Apache-2.0

package import APIClient
package import AuthCore

extension OpenIDProvider {
    /// Exchanges an access token for one that is for another API.
    ///
    /// The old token stays valid. A refresh token in the response is dropped.
    ///
    /// - Parameters:
    ///   - token: The access token. Secret.
    ///   - dpopKey: The key that both tokens are bound to; nil for bearer tokens.
    /// - Returns: The new access token, which is bound to the key if there is one. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:token-exchange`.
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    package func exchanged(
        _ token: AccessToken,
        for target: TokenTarget,
        dpopKey: DPoPKey?
    ) async throws -> TokenSet {
        let start = settings.now()
        let grant = [
            ("grant_type", TokenEndpoint.tokenExchangeGrant),
            ("subject_token", token.unredacted),
            ("subject_token_type", TokenType.accessToken),
            ("requested_token_type", TokenType.accessToken),
        ]
        let response = try await TokenEndpoint(provider: self).exchange(grant + target.form, dpopKey: dpopKey)
        guard TokenType.usable.contains(response.issuedTokenType) else { throw OpenIDError(.token, .invalidResponse) }
        var tokens = try response.tokens(requestedAt: start, idToken: nil)
        tokens.refreshToken = nil
        return tokens
    }
}
