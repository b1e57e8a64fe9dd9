// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AppBackendSession
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs in with Apple in the user's browser, which redirects to a listener on this machine.
    ///
    /// For an app's own backend, where there is no Apple device. Apple takes no loopback redirect, so the backend is
    /// Apple's client, and redirects the browser to the listener. Before the browser opens, the store is read, so that
    /// a locked store doesn't waste a sign-in, and the backend is asked whether it responds. If cancelled, the sign-in
    /// ends at once and the listener closes.
    ///
    /// - Parameters:
    ///   - clientID: The app's bundle identifier, as the backend knows it.
    ///   - browser: The browser, with the redirect address of the listener. A backend accepts no `localhost` here.
    /// - Returns: The user, if the server named one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInCancelled`, `signInRefused`,
    ///   `unreachable`, `invalidResponse`, `superseded`); `OpenIDError`; `CancellationError`.
    ///
    /// Wire: `GET /api/auth/apple/start`, `POST /api/auth/apple/redeem`.
    @discardableResult
    public func signInWithApple(clientID: String, using browser: ExternalUserAgent) async throws -> SessionUser? {
        let ticket = try await appleSignInTicket()
        return try await ticket.measuring { try await signInWithApple(ticket, clientID: clientID, using: browser) }
    }

    private func signInWithApple(
        _ ticket: SignInTicket,
        clientID: String,
        using browser: ExternalUserAgent
    ) async throws -> SessionUser? {
        let listener = try await browser.startListener()
        let signIn = AppleRedirectSignIn(clientID: clientID, redirectURI: listener.redirectURI)
        let url = signIn.url(at: backend.baseURL)
        let code: String = try await browser.callback(at: url, from: listener) { query in
            guard signIn.isResponse(query) else { return nil }
            return Result { try signIn.code(in: query) }
        }
        return try await finish(ticket, redeeming: code, of: signIn)
    }
}
#endif
