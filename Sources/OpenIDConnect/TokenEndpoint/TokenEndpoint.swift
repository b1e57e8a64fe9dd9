// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// The endpoint that exchanges a grant for tokens: a code, a refresh token or a device code.
///
/// Sends a grant once. Sends it again, at most twice, only if the provider refuses the DPoP proof, or the client's
/// assertion because of a wrong clock. It checks both before the grant.
/// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
struct TokenEndpoint: Sendable {
    /// The grant type of a token exchange: [RFC 8693, 2.1](https://www.rfc-editor.org/rfc/rfc8693#section-2.1).
    static let tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

    let provider: OpenIDProvider

    /// Exchanges a grant.
    ///
    /// - Parameters:
    ///   - grant: The form's fields without the client's. Secret.
    ///   - client: The client that authenticates; nil for the provider's.
    ///   - key: The key that the tokens are bound to; nil for bearer tokens.
    ///   - sendGuard: The check that runs just before the request is sent; false prevents the request. Nil for no
    ///     check.
    /// - Returns: The tokens. Only their form is checked.
    /// - Throws: ``OpenIDError``; `CancellationError`.
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
        do {
            let response = try await provider.post(
                grant,
                to: provider.metadata.tokenEndpoint,
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
        } catch let error as APIError {
            throw OpenIDError(.token, error)
        }
    }
}
