import APIClient
import AuthCore
import AuthSession
import OpenIDConnect

/// A sign-in with Apple in a browser: the provider gets the hashed nonce, the backend the raw one.
struct AppleLogin: Sendable {
    let issuer: String
    let clientID: String
    let browser: ExternalUserAgent
    let settings: ProviderSettings

    func signIn(to session: AuthSession) async throws -> SessionUser? {
        try await session.probeStore()
        let provider = try await OpenIDProvider.discover(
            issuer: try Issuer(issuer),
            client: .public(id: clientID),
            settings: settings
        )
        let attempt = AppleSignInAttempt()
        let idToken = try await browser.unverifiedIDToken(
            from: provider,
            AuthorizationParameters(scope: "openid name email"),
            nonce: attempt.hashedNonce
        )
        return try await session.signIn(with: AppleCredential(identityToken: idToken), for: attempt)
    }
}
