// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import OpenIDConnect

/// A sign-in with Apple in a browser, which the backend carries out, or a provider that stands for Apple.
struct AppleLogin: Sendable {
    /// The provider that stands for Apple, which gets the hashed nonce; nil for Apple itself.
    let issuer: String?
    let clientID: String
    let browser: ExternalUserAgent
    let settings: ProviderSettings

    func signIn(to session: AuthSession) async throws -> SessionUser? {
        guard let issuer else {
            return try await session.signInWithApple(clientID: clientID) { try await browser.redirect($0, $1) }
        }
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
