import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    func requireProvider() throws(AuthSessionError) -> OpenIDProvider {
        guard let provider else { throw AuthSessionError(.contractMismatch) }
        return provider
    }

    /// The provider that the session signs in at, or nil if the backend isn't an OpenID provider.
    public nonisolated var provider: OpenIDProvider? { backend.provider }

    /// Returns the tokens that a session begins with.
    func issued(
        _ response: OpenIDTokens,
        _ parameters: AuthorizationParameters,
        dpopKey key: DPoPKey?
    ) -> IssuedTokens {
        var tokens = response.tokens
        // RFC 6749, 5.1: the server may omit the scope if it equals the requested one.
        tokens.scope = tokens.scope ?? parameters.scope
        tokens.dpopKeyBytes = key?.bytes
        // The token request may have been the last of many polls, and not recent.
        let now = clock.reading()
        let start = tokens.lifetime.issuedAt ?? now.date
        return IssuedTokens(tokens: tokens, requestedAt: ClockReading(date: start, uptime: now.uptime(of: start)))
    }

    /// Returns the user named by the ID token, or nil if there is no ID token.
    func user(of response: OpenIDTokens) -> SessionUser? {
        response.idToken.map { idToken in SessionUser(subject: idToken.subject) { idToken.claims[$0] } }
    }

    /// Calls the token endpoint and maps its errors to `AuthSessionError`.
    func openIDResponse<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as TokenEndpointError {
            let isKeySet = (error.underlying as? IDTokenError)?.code == .keysUnavailable
            if error.isRetryable || isKeySet { throw AuthSessionError(.unreachable, of: error) }
            throw AuthSessionError(error.code == .refused ? .signInRefused : .invalidResponse, of: error)
        }
    }
}
