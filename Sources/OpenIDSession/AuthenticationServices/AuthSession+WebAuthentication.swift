// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider in the system's sheet.
    ///
    /// If it is cancelled, by the user or with the task, it ends at once and nothing stays pending. If the system ends
    /// the app meanwhile and the redirect opens it again, `completeSignIn(redirectedTo:)` completes the sign-in.
    ///
    /// - Returns: The user who signed in, if the provider names one.
    /// - Throws: `OpenIDError`; `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`,
    ///   `unreachable`, `invalidResponse`, `superseded`); `CancellationError`.
    ///
    /// [RFC 8252, 7](https://www.rfc-editor.org/rfc/rfc8252#section-7).
    @discardableResult
    public func signIn(
        using sheet: WebAuthentication,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> SessionUser? {
        try await signIn(redirectURI: sheet.redirectURI, parameters) { url in
            try await WebAuthenticationSheet(sheet).redirect(from: url)
        }
    }

    /// Signs out as `signOut()` does, and shows the provider's page to sign out in the system's sheet.
    ///
    /// The session ends here first, whatever happens in the sheet. If the user closes it, the user may still be signed in
    /// at the provider. If cancelled, the sheet closes. The system asks the user first, in the words of a sign-in. A
    /// private browser session, `isEphemeral`, has left no session in the browser to end.
    ///
    /// - Parameter returns: Whether the provider accepts the sheet's redirect URI after a sign-out. If true, the sheet
    ///   closes by itself. If false, the user closes it.
    @discardableResult
    public func signOut(
        using sheet: WebAuthentication,
        returning returns: Bool = false
    ) async -> (result: SignOutResult, endSession: EndSessionOutcome) {
        let redirectURI = returns ? sheet.redirectURI : nil
        return await signOut(redirectURI: redirectURI) { url in
            try await WebAuthenticationSheet(sheet).redirect(from: url)
        }
    }
}
#endif
