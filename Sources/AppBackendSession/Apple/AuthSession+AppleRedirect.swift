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
    /// The backend is asked first whether it responds, so that no browser is sent to one that is away. The module
    /// `AuthUI` has one call for the whole sign-in with a browser and a loopback redirect.
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
        _ = try await appleSignInTicket(isMeasured: false)
        let signIn = AppleRedirectSignIn(clientID: clientID, redirectURI: redirectURI)
        _ = try await setPendingSignIn(PendingAppleSignIn(signIn, at: authority.baseURL, beganAt: clock.date()))
        return signIn.url(at: authority.baseURL)
    }

    /// Begins a sign-in with Apple: reads the store, and checks that the backend responds.
    ///
    /// A browser could not report either.
    ///
    /// - Parameter isMeasured: Whether the sign-in is measured. False if another call completes it.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `unreachable`, `superseded`);
    ///   `CancellationError`.
    package func appleSignInTicket(isMeasured: Bool = true) async throws -> SignInTicket {
        guard let authority = authority as? SessionTokenAuthority else { throw AuthSessionError(.contractMismatch) }
        let ticket = try await signInTicket(isMeasured: isMeasured)
        try await ticket.measuring { try await signInResponse(for: ticket) { try await authority.ping() } }
        return ticket
    }

    /// Redeems the one-time code of a sign-in with Apple and begins the session.
    ///
    /// - Returns: The user, if the server named one.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `signInRefused`, `unreachable`, `invalidResponse`,
    ///   `superseded`); `CancellationError`.
    ///
    /// Wire: `POST /api/auth/apple/redeem`.
    package func finish(
        _ ticket: SignInTicket,
        redeeming code: String,
        of signIn: AppleRedirectSignIn
    ) async throws -> SessionUser? {
        guard let authority = authority as? SessionTokenAuthority else { throw AuthSessionError(.contractMismatch) }
        let signedIn = try await signInResponse(for: ticket, isRepeatable: false) {
            try await authority.redeem(code, of: signIn)
        }
        return try await complete(ticket, with: signedIn.issued, user: signedIn.user)
    }

    /// Returns the pending sign-in with Apple; nil if none waits.
    fileprivate func pendingAppleSignIn() async throws -> (signIn: AppleRedirectSignIn, item: SecretBytes)? {
        guard let item = try await pendingSignInItem(),
            let signIn = PendingAppleSignIn(item)?.signIn(at: authority.baseURL, at: clock.date())
        else { return nil }
        return (signIn, item)
    }

    /// Completes a sign-in that `beginAppleSignIn(clientID:redirectURI:)` began.
    fileprivate func completeAppleSignIn(redirectedTo url: String) async throws -> SessionUser? {
        let ticket = try await signInTicket()
        return try await ticket.measuring { try await finish(ticket, redirectedTo: url) }
    }

    private func finish(_ ticket: SignInTicket, redirectedTo url: String) async throws -> SessionUser? {
        guard let (signIn, item) = try await pendingAppleSignIn() else {
            await removeOverdueSignIns()
            throw AuthSessionError(.noPendingSignIn)
        }
        guard let query = RedirectAddress.query(of: url, redirectedTo: signIn.redirectURI) else {
            throw AuthSessionError(.redirectMismatch)
        }
        guard signIn.isResponse(query) else { throw AuthSessionError(.stateMismatch) }
        let code = Result { () throws(AuthSessionError) in try signIn.code(in: query) }
        guard try await takePendingSignIn(item) else { throw AuthSessionError(.noPendingSignIn) }
        return try await finish(ticket, redeeming: try code.get(), of: signIn)
    }
}

extension SessionTokenAuthority: RedirectSignIn {
    /// Returns whether a URL is the response to the pending sign-in with Apple.
    package func isSignInResponse(_ url: String, in session: AuthSession) async throws -> Bool {
        guard let signIn = try await session.pendingAppleSignIn()?.signIn,
            let query = RedirectAddress.query(of: url, redirectedTo: signIn.redirectURI)
        else { return false }
        return signIn.isResponse(query)
    }

    /// Redeems the code of a redirect.
    package func completeSignIn(redirectedTo url: String, in session: AuthSession) async throws -> SessionUser? {
        try await session.completeAppleSignIn(redirectedTo: url)
    }
}
