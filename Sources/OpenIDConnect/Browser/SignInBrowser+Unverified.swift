#if LoopbackRedirect
public import AuthCore

extension SignInBrowser {
    /// Signs a person in at a provider and gives the ID token on to who verifies it: it is *not* verified here.
    ///
    /// For a backend that takes a provider's ID token and a nonce. Cancelled, it ends at once and the listener closes.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - parameters: What is asked for.
    ///   - nonce: What the ID token must carry; its preimage may stay with the caller.
    /// - Returns: The ID token, unverified. Secret.
    /// - Throws: ``AuthorizationError``; ``TokenEndpointError``; `CancellationError`.
    public func unverifiedIDToken(
        from provider: OpenIDProvider,
        _ parameters: AuthorizationParameters,
        nonce: String
    ) async throws -> IDToken {
        let listener = try await LoopbackListener.start(redirect)
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: listener.redirectURI,
            parameters: parameters,
            nonce: nonce
        )
        let url = try await provider.authorizationURL(for: request, pushing: parameters.pushesRequest)
        let response = try await response(to: request, at: url, from: listener)
        return try await provider.unverifiedIDToken(for: response, to: request)
    }
}
#endif
