// SPDX-License-Identifier: Apache-2.0

/// A ``TokenAuthority`` with a sign-in whose response redirects back to the app.
///
/// The other authorities have no such sign-in: no URL is a response, and no URL completes a sign-in.
package protocol RedirectSignIn: TokenAuthority {
    /// Returns whether an untrusted URL that the app was opened with is the response to a pending sign-in.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    func isSignInResponse(_ url: String, in session: AuthSession) async throws -> Bool

    /// Completes a pending sign-in with an untrusted URL that the app was opened with.
    ///
    /// - Returns: The user, if the server named one.
    func completeSignIn(redirectedTo url: String, in session: AuthSession) async throws -> SessionUser?
}

extension AuthSession {
    /// Completes a sign-in, which this or an earlier process began, whose response redirects to a URL of the app.
    ///
    /// A URL that is not the response leaves the sign-in pending, because any app can open this app's URLs. The
    /// response is used once, even if the sign-in fails.
    ///
    /// - Parameter url: The URL that the app was opened with. Untrusted.
    /// - Returns: The user, if the server named one.
    /// - Throws: ``AuthSessionError`` (`contractMismatch` if the backend has no such sign-in, `storeUnavailable`,
    ///   `signInRefused`, `unreachable`, `invalidResponse`, `superseded`, and with Apple `signInCancelled`,
    ///   `noPendingSignIn`, `redirectMismatch`, `stateMismatch`); with an OpenID provider also
    ///   `OpenIDError` (`noPendingAuthorization`, `redirectMismatch`, `stateMismatch`, `issuerMismatch`,
    ///   `malformedResponse`, `cancelled`, `refused`); `CancellationError`.
    @discardableResult
    public func completeSignIn(redirectedTo url: String) async throws -> SessionUser? {
        guard let authority = authority as? any RedirectSignIn else { throw AuthSessionError(.contractMismatch) }
        return try await authority.completeSignIn(redirectedTo: url, in: self)
    }

    /// Returns whether a URL is the response, successful or not, to the pending sign-in; false if none is pending.
    ///
    /// - Parameter url: The URL that the app was opened with. Untrusted.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable` if the store can't be read); `CancellationError`.
    public func isSignInResponse(_ url: String) async throws -> Bool {
        guard let authority = authority as? any RedirectSignIn else { return false }
        return try await authority.isSignInResponse(url, in: self)
    }
}
