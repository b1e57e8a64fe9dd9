// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider in the user's browser, which redirects to a listener on this machine.
    ///
    /// The store is read before the browser opens, so that a locked store doesn't waste a sign-in. If cancelled, it
    /// ends at once and the listener closes.
    ///
    /// - Returns: The user who signed in, if the provider names one. If `canRefresh` is false afterwards, the provider
    ///   issued no refresh token; if `missingScope` is not nil, it granted less than was requested.
    /// - Throws: `OpenIDError`; `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`,
    ///   `unreachable`, `invalidResponse`, `superseded`); `CancellationError`.
    ///
    /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
    @discardableResult
    public func signIn(
        using browser: ExternalUserAgent,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        return try await ticket.observing {
            await removeOverdueSignIns()
            try await flushPendingRevocationsBeforeSignIn()
            let listener = try await browser.startListener(for: provider.profile)
            let (request, url) = try await provider.authorization(redirectingTo: listener.redirectURI, parameters)
            let response = try await browser.response(to: request, at: url, from: listener)
            return try await finish(ticket, at: provider, with: response, to: request)
        }
    }
}
#endif
