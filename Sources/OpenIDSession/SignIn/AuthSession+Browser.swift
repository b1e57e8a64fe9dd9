#if LoopbackRedirect && (os(Linux) || os(macOS))
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider in the user's browser, which redirects to a listener on this machine.
    ///
    /// The store is read before the browser opens, so that a locked store doesn't waste a sign-in. If cancelled, it
    /// ends at once and the listener closes.
    ///
    /// - Parameters:
    ///   - browser: The browser, with the redirect address of the listener.
    ///   - parameters: The parameters of the authorization request.
    /// - Returns: The user who signed in. If `canRefresh` is false afterwards, the provider issued no refresh token; if
    ///   `missingScope` is not nil, it granted less than was requested.
    /// - Throws: `AuthorizationError` (`cancelled`, `refused`, `timedOut`, `stateMismatch`, `noBrowser`,
    ///   `listenerFailed`, `malformed`, `issuerMismatch`, `invalidParameters`, `pushedAuthorizationFailed`);
    ///   `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `invalidResponse`, `superseded`); `UserInfoError` if only an endpoint can name the user, and does not;
    ///   `CancellationError`.
    ///
    /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
    @discardableResult
    public func signIn(
        using browser: ExternalUserAgent,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        await removeOverdueSignIns()
        try await flushPendingRevocationsBeforeSignIn()
        let listener = try await browser.startListener(for: provider.profile)
        let request = authorizationRequest(to: provider, redirectURI: listener.redirectURI, parameters)
        let url = try await provider.authorizationURL(
            for: request,
            pushed: parameters.usesPushedAuthorizationRequest
        )
        let response = try await browser.response(to: request, at: url, from: listener)
        return try await finish(ticket, with: response, to: request)
    }
}
#endif
