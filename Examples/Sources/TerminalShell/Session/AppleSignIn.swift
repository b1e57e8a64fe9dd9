import AuthCore
import AuthSession
import OpenIDConnect

/// A sign-in with Apple in a browser: the provider gets the hashed nonce, the backend the raw one.
struct AppleSignIn: Sendable {
    let issuer: Issuer
    /// The bundle identifier of the app that the identity token is for.
    let bundleIdentifier: String
    /// The name of the app on the page in the browser.
    let appName: String

    /// Signs in.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - show: The closure to call with the URL for the browser.
    /// - Throws: `AuthSessionError`, `DiscoveryError`, `AuthorizationError`, `TokenEndpointError`; `CancellationError`.
    func signIn(to session: AuthSession, showing show: @escaping @Sendable (String) -> Void) async throws {
        try await session.probeStore()
        let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: bundleIdentifier))
        let attempt = AppleSignInAttempt()
        let browser = ExternalUserAgent.browser(redirect: LoopbackRedirect(appName: appName)) { url in
            // Shown in any case, because a browser can fail after its start without an error here.
            show(url)
            SystemBrowser.open(url)
        }
        let idToken = try await browser.unverifiedIDToken(
            from: provider,
            AuthorizationParameters(scope: "openid name email"),
            nonce: attempt.hashedNonce
        )
        try await session.signIn(with: AppleCredential(identityToken: idToken), for: attempt)
    }
}
