import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Exchanges the session's access token for one that is for another API.
    ///
    /// The session keeps its own tokens, and does not keep the new one. The new token is bound to the session's DPoP key
    /// if the session's tokens are. An `APIClient` and the other clients take it in place of a session.
    ///
    /// - Parameter target: The API that the new token is for.
    /// - Returns: The new access token with its lifetime and scope. Secret.
    /// - Throws: `TokenEndpointError` (`refused` with the provider's code); `AuthSessionError` (`contractMismatch` if the
    ///   session is not at a provider; `notSignedIn` if a user has signed in or out meanwhile); the errors of
    ///   `accessToken()`; `CancellationError`. The errors of the exchange itself don't end the session.
    ///
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    public func exchangeAccessToken(for target: TokenExchange) async throws -> ExchangedToken {
        let provider = try requireProvider()
        let tokens = try await tokensToSend()
        let startGeneration = try currentUser().generation
        let new = try await provider.exchanged(tokens.accessToken, for: target, dpopKey: tokens.dpopKey)
        // Another user's token must not reach the caller.
        guard try currentUser().generation == startGeneration else { throw AuthSessionError(.notSignedIn) }
        return new
    }
}
