#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider in the system's sheet.
    ///
    /// If it is cancelled, by the user or with the task, it ends at once and nothing stays pending. If the system ends
    /// the app meanwhile and the redirect opens it again, `completeSignIn(redirectedTo:)` completes the sign-in.
    ///
    /// - Parameters:
    ///   - sheet: The sheet that shows the provider's page, with the redirect URI.
    ///   - parameters: The parameters of the authorization request.
    /// - Returns: The user who signed in.
    /// - Throws: `AuthorizationError` (`cancelled`, `noBrowser`, `invalidParameters`, `refused`, `stateMismatch`,
    ///   `issuerMismatch`, `malformed`, `pushedAuthorizationFailed`, `redirectMismatch`, `noPendingAuthorization`);
    ///   `AuthSessionError` (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`,
    ///   `invalidResponse`, `superseded`); `CancellationError`.
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
}
#endif
