import APIClient
import AuthCore

/// Where a grant becomes tokens: a code, a refresh token, a device code.
///
/// One request a grant, but for the one time that the provider wants a nonce in the proof of possession, which it says
/// before it looks at the grant. [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
struct TokenEndpoint: Sendable {
    let provider: OpenIDProvider

    /// Exchanges a grant.
    ///
    /// - Parameters:
    ///   - grant: The form's fields without the client's. Secret.
    ///   - key: What the tokens are to be bound to; nil for bearer tokens.
    ///   - isInTime: Asked when the request is about to leave; nil for always.
    /// - Returns: The tokens, checked for their form.
    /// - Throws: ``TokenEndpointError``; `CancellationError`.
    func exchange(
        _ grant: [(String, String)],
        boundTo key: DPoPKey? = nil,
        leavingWhile isInTime: (@Sendable () -> Bool)? = nil
    ) async throws -> TokenResponse {
        let endpoint = provider.metadata.tokenEndpoint
        let credentials = provider.client.credentials
        let client = ProviderClient(settings: provider.settings)
        do {
            let answer = try await provider.proofs.sending(to: endpoint, boundTo: key) { proof in
                try await client.post(
                    grant + credentials.form,
                    to: endpoint,
                    credentials.fields + proof,
                    leavingWhile: isInTime
                )
            }
            return try TokenResponse(
                answer,
                isBound: key != nil,
                isRefresh: grant.contains { $0 == ("grant_type", "refresh_token") },
                hiding: provider.client.secrets(in: grant),
                provider.settings
            )
        } catch let error as APIError {
            // Longer than is read: it came, and is of no use.
            throw TokenEndpointError(error.code == .unreadableAnswer ? .unreadable : .unreachable, underlying: error)
        }
    }
}
