import AuthCore
import AuthSession
import OpenIDConnect

/// Signs in with Apple's way in a browser: hashed nonce to the provider, raw nonce to the backend.
struct AppleSignIn: Sendable {
    let issuer: Issuer
    /// Which app the identity token is for.
    let bundleIdentifier: String
    /// What the page in the browser calls the app.
    let appName: String

    /// Signs in.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - show: Called with the address that the browser is sent to.
    /// - Throws: `AuthSessionError`, `DiscoveryError`, `AuthorizationError`, `TokenEndpointError`; `CancellationError`.
    func signIn(to session: AuthSession, showing show: @escaping @Sendable (String) -> Void) async throws {
        try await session.requireStore()
        let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: bundleIdentifier))
        let attempt = AppleSignInAttempt()
        let browser = SignInBrowser.browser(redirect: LoopbackRedirect(appName: appName)) { url in
            // Shown in any case: a browser that starts may fail all the same, which nobody hears of here.
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
