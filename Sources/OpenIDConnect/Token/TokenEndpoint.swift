// SPDX-License-Identifier: Apache-2.0

package import APIClient
package import AuthCore

/// The endpoint that exchanges a grant for tokens: a code, a refresh token or a device code (RFC 6749, 3.2).
///
/// Sends a grant once. Sends it again, at most twice, only if the provider refuses the DPoP proof, or the client's
/// assertion because of a wrong clock. It checks both before the grant.
struct TokenEndpoint: Sendable {
    /// The grant type of a token exchange (RFC 8693, 2.1).
    static let tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

    let provider: OpenIDProvider

    /// Exchanges a secret grant, of the provider's client if nil, for tokens, of which only the form is checked.
    func exchange(
        _ grant: [(String, String)],
        as client: OpenIDClient? = nil,
        dpopKey key: DPoPKey? = nil,
        sendGuard: (@Sendable () -> Bool)? = nil
    ) async throws -> TokenResponse {
        // RFC 8707, 2.2: the request for a code has named its resources. Another API has another name.
        let namesTarget = grant.contains {
            ["resource", "audience"].contains($0.0) || $0 == ("grant_type", Self.tokenExchangeGrant)
        }
        let resources = namesTarget ? [] : provider.profile.resources
        let grant = grant + resources.map { ("resource", $0) }
        let response = try await provider.post(
            grant,
            to: provider.metadata.tokenEndpoint,
            for: .token,
            as: client ?? provider.client,
            dpopKey: key,
            sendGuard: sendGuard
        )
        return try TokenResponse(
            response,
            isBound: key != nil,
            isRefresh: grant.contains { $0 == ("grant_type", "refresh_token") },
            of: provider.metadata,
            provider.settings
        )
    }
}

/// The identifiers of token types (RFC 8693, 3).
enum TokenType {
    static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    static let jwt = "urn:ietf:params:oauth:token-type:jwt"
    /// The types of issued tokens that can be used as an access token; nil from a server that omits the type.
    static let usable: Set<String?> = [accessToken, jwt, nil]
}

extension OpenIDProvider {
    /// Exchanges an access token for one that is for another API, and bound to the same key, if any (RFC 8693, 2).
    ///
    /// The old token stays valid. A refresh token in the response is dropped.
    package func exchanged(_ token: AccessToken, for target: TokenTarget, dpopKey: DPoPKey?) async throws -> TokenSet {
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
