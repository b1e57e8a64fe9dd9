// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import AuthSession
import SecureStore

extension AuthSession {
    /// Begins a sign-in with Apple in a browser, for a system without Apple's own sign-in.
    ///
    /// The backend sends the browser to Apple, and then to the app's redirect URI. The nonce, the state and the code
    /// verifier are kept in the store, so that another process can complete the sign-in with
    /// `completeSignIn(redirectedTo:)`. One sign-in is pending at a time, for half an hour. Another one replaces it.
    /// The backend is asked first whether it responds, so that no browser is sent to one that is away.
    /// ``signInWithApple(clientID:through:)`` is one call for the whole sign-in.
    ///
    /// - Parameters:
    ///   - clientID: The app's bundle identifier, as the backend knows it.
    ///   - redirectURI: The URI that the browser comes back to: an address with the app's own scheme, such as
    ///     `com.example.app:/callback`, or `http://127.0.0.1:PORT/callback`.
    /// - Returns: The URL for the browser to open. Contains the state: not for logs.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `unreachable`, `superseded`);
    ///   `CancellationError`.
    ///
    /// Wire: `GET /api/auth/apple/start`.
    public func beginAppleSignIn(clientID: String, redirectURI: String) async throws -> String {
        _ = try await appleSignInTicket(isObserved: false)
        let (signIn, backend) = (AppleRedirectSignIn(clientID: clientID), authority.baseURL)
        let pending = PendingAppleSignIn(signIn, at: backend, redirectURI: redirectURI, beganAt: clock.date())
        _ = try await setPendingSignIn(pending)
        return signIn.url(at: backend, redirectURI: redirectURI)
    }

    /// Signs in with Apple in a browser that returns to this process.
    ///
    /// Apple takes no loopback redirect, so the backend is Apple's client, and redirects the browser to the app. Before
    /// the browser opens, the store is read, so that a locked store doesn't waste a sign-in, and the backend is asked
    /// whether it responds. With `ExternalUserAgent` of `OpenIDConnect`, which listens at a loopback address:
    ///
    ///     try await session.signInWithApple(clientID: app) { try await browser.redirect($0, $1) }
    ///
    /// - Parameters:
    ///   - clientID: The app's bundle identifier, as the backend knows it.
    ///   - browser: The closure that opens the `page` for its redirect URI and returns the `code` of the redirect's
    ///     query. If `code` returns nil, the redirect is not the response: the closure waits for another one. The page
    ///     contains the state: not for logs. A backend accepts no `localhost` in a redirect URI.
    /// - Returns: The user, if the server named one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInCancelled`, `signInRefused`,
    ///   `unreachable`, `invalidResponse`, `superseded`); the errors of `browser`; `CancellationError`.
    ///
    /// Wire: `GET /api/auth/apple/start`, `POST /api/auth/apple/redeem`.
    @discardableResult
    public func signInWithApple(
        clientID: String,
        through browser:
            @Sendable (
                _ page: @escaping @Sendable (_ redirectURI: String) -> String,
                _ code: @escaping @Sendable (_ query: String) throws -> String?
            ) async throws -> String
    ) async throws -> SessionUser? {
        let ticket = try await appleSignInTicket()
        let (signIn, backend) = (AppleRedirectSignIn(clientID: clientID), authority.baseURL)
        return try await ticket.observing {
            let code = try await browser(
                { signIn.url(at: backend, redirectURI: $0) },
                { try signIn.isResponse($0) ? signIn.code(in: $0) : nil }
            )
            return try await redeem(code, for: ticket, of: signIn)
        }
    }

    /// Begins a sign-in with Apple: reads the store, and checks that the backend responds.
    ///
    /// A browser could not report either.
    ///
    /// - Parameter isObserved: Whether the sign-in is observed. False if another call completes it.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `unreachable`, `superseded`);
    ///   `CancellationError`.
    private func appleSignInTicket(isObserved: Bool = true) async throws -> SignInTicket {
        guard let authority = authority as? SessionTokenAuthority else { throw AuthSessionError(.contractMismatch) }
        let ticket = try await signInTicket(isObserved: isObserved)
        try await ticket.observing { try await signInResponse(for: ticket) { try await authority.ping() } }
        return ticket
    }

    /// Redeems the one-time code of a sign-in with Apple and begins the session.
    ///
    /// - Returns: The user, if the server named one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `signInRefused`, `unreachable`, `invalidResponse`,
    ///   `superseded`); `CancellationError`.
    ///
    /// Wire: `POST /api/auth/apple/redeem`.
    private func redeem(
        _ code: String,
        for ticket: SignInTicket,
        of signIn: AppleRedirectSignIn
    ) async throws -> SessionUser? {
        guard let authority = authority as? SessionTokenAuthority else { throw AuthSessionError(.contractMismatch) }
        let signedIn = try await signInResponse(for: ticket, isRepeatable: false) {
            try await authority.redeem(code, of: signIn)
        }
        return try await complete(ticket, with: signedIn.issued, user: signedIn.user)
    }

    /// Returns the pending sign-in with Apple; nil if none waits.
    fileprivate func pendingAppleSignIn() async throws
        -> (signIn: AppleRedirectSignIn, redirectURI: String, item: SecretBytes)?
    {
        guard let item = try await pendingSignInItem(), let pending = PendingAppleSignIn(item),
            let signIn = pending.signIn(at: authority.baseURL, at: clock.date())
        else { return nil }
        return (signIn, pending.redirectURI, item)
    }

    /// Completes a sign-in that `beginAppleSignIn(clientID:redirectURI:)` began.
    fileprivate func completeAppleSignIn(redirectedTo url: String) async throws -> SessionUser? {
        let ticket = try await signInTicket()
        return try await ticket.observing { try await completePendingSignIn(ticket, redirectedTo: url) }
    }

    private func completePendingSignIn(_ ticket: SignInTicket, redirectedTo url: String) async throws -> SessionUser? {
        guard let (signIn, redirectURI, item) = try await pendingAppleSignIn() else {
            await removeOverdueSignIns()
            throw AuthSessionError(.noPendingSignIn)
        }
        guard let query = RedirectAddress.query(of: url, redirectedTo: redirectURI) else {
            throw AuthSessionError(.redirectMismatch)
        }
        guard signIn.isResponse(query) else { throw AuthSessionError(.stateMismatch) }
        let code = Result { () throws(AuthSessionError) in try signIn.code(in: query) }
        guard try await takePendingSignIn(item) else { throw AuthSessionError(.noPendingSignIn) }
        return try await redeem(try code.get(), for: ticket, of: signIn)
    }
}

extension SessionTokenAuthority: RedirectSignIn {
    func isSignInResponse(_ url: String, in session: AuthSession) async throws -> Bool {
        guard let (signIn, redirectURI, _) = try await session.pendingAppleSignIn(),
            let query = RedirectAddress.query(of: url, redirectedTo: redirectURI)
        else { return false }
        return signIn.isResponse(query)
    }

    func completeSignIn(redirectedTo url: String, in session: AuthSession) async throws -> SessionUser? {
        try await session.completeAppleSignIn(redirectedTo: url)
    }
}
