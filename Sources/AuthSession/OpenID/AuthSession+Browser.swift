#if LoopbackRedirect
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider in the person's browser, which comes back to a listener on this machine.
    ///
    /// The store is read before the browser opens, so that no sign-in is wasted on a locked one. Cancelled, it ends at once
    /// and the listener closes.
    ///
    /// - Parameters:
    ///   - browser: Which browser, and where it comes back to.
    ///   - parameters: What is asked for.
    /// - Returns: Who signed in.
    /// - Throws: `AuthorizationError` (`cancelled`, `refused`, `timedOut`, `stateMismatch`, `noBrowser`, `listenerFailed`, `malformed`,
    ///   `issuerMismatch`, `invalidParameters`, `pushFailed`); ``AuthSessionError`` (`contractMismatch`,
    ///   `storeUnavailable`, `signInRefused`, `unreachable`, `unsafeAnswer`, `superseded`); `CancellationError`.
    ///
    /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
    @discardableResult
    public func signIn(
        using browser: SignInBrowser,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> User? {
        let provider = try requireProvider()
        let begun = personEpoch
        let found = try await readStore()
        await removeOverdueSignIn()
        try await tellEndedSessionsBeforeSignIn()
        let listener = try await LoopbackListener.start(browser.redirect)
        let request = authorizationRequest(to: provider, redirectURI: listener.redirectURI, parameters)
        let url = try await provider.authorizationURL(for: request, pushing: parameters.pushesRequest)
        let response = try await browser.response(to: request, at: url, from: listener)
        return try await finish(response, to: request, insteadOf: found, from: begun)
    }
}
#endif
