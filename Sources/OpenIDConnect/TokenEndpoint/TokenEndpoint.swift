import APIClient
import AuthCore

/// The endpoint that exchanges a grant for tokens: a code, a refresh token or a device code.
///
/// Sends a grant once, and once more only if the provider refuses the DPoP proof, which it checks before the grant.
/// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
struct TokenEndpoint: Sendable {
    let provider: OpenIDProvider

    /// Exchanges a grant.
    ///
    /// - Parameters:
    ///   - grant: The form's fields without the client's. Secret.
    ///   - key: The key that the tokens are bound to; nil for bearer tokens.
    ///   - sendGuard: The check that runs just before the request is sent; false prevents the request. Nil for no
    ///     check.
    /// - Returns: The tokens. Only their form is checked.
    /// - Throws: ``TokenEndpointError``; `CancellationError`.
    func exchange(
        _ grant: [(String, String)],
        dpopKey key: DPoPKey? = nil,
        sendGuard: (@Sendable () -> Bool)? = nil
    ) async throws -> TokenResponse {
        let endpoint = provider.metadata.tokenEndpoint
        let credentials = provider.client.credentials
        let client = ProviderClient(settings: provider.settings)
        do {
            let response = try await provider.proofs.sending(to: endpoint, dpopKey: key) { proof in
                try await client.post(
                    grant + credentials.form,
                    to: endpoint,
                    credentials.fields + proof,
                    sendGuard: sendGuard
                )
            }
            return try TokenResponse(
                response,
                isBound: key != nil,
                isRefresh: grant.contains { $0 == ("grant_type", "refresh_token") },
                hiding: provider.client.secrets(in: grant),
                provider.settings
            )
        } catch let error as APIError {
            // A response that exceeds the size limit did arrive, but is useless.
            throw TokenEndpointError(
                error.code == .malformedResponse ? .malformedResponse : .unreachable,
                underlying: error
            )
        }
    }
}
