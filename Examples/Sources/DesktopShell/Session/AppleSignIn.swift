// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthSession
import OpenIDConnect

/// A sign-in with Apple in a browser, which the backend carries out, or a provider that stands for Apple.
struct AppleSignIn: Sendable {
    /// The provider that stands for Apple, which gets the hashed nonce; nil for Apple itself.
    let issuer: Issuer?
    /// The app's bundle identifier.
    let bundleIdentifier: String
    /// The name of the app on the page in the browser.
    let appName: String

    /// Signs in.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - show: The closure to call with the URL for the browser.
    /// - Throws: `AuthSessionError`, `OpenIDError`; `CancellationError`.
    func signIn(to session: AuthSession, showing show: @escaping @Sendable (String) -> Void) async throws {
        try await session.probeStore()
        let browser = ExternalUserAgent.browser(redirect: LoopbackRedirect(appName: appName)) { url in
            // Shown in any case, because a browser can fail after its start without an error here.
            show(url)
            SystemBrowser.open(url)
        }
        guard let issuer else {
            try await session.signInWithApple(clientID: bundleIdentifier) { try await browser.redirect($0, $1) }
            return
        }
        let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: bundleIdentifier))
        let attempt = AppleSignInAttempt()
        let idToken = try await browser.unverifiedIDToken(
            from: provider,
            AuthorizationParameters(scope: "openid name email"),
            nonce: attempt.hashedNonce
        )
        try await session.signIn(with: AppleCredential(identityToken: idToken), for: attempt)
    }
}
