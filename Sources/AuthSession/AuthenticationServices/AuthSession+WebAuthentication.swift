#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import OpenIDConnect

extension AuthSession {
    /// Signs in at the provider in the system's sheet.
    ///
    /// Cancelled, by the person or with the task, it ends at once and nothing stays pending. Where the system ends the app
    /// meanwhile and the answer comes to its address, ``completeSignIn(redirectedTo:)`` takes it.
    ///
    /// - Parameters:
    ///   - sheet: How the provider's page is shown, and where it leads back to.
    ///   - parameters: What is asked for.
    /// - Returns: Who signed in.
    /// - Throws: `AuthorizationError` (`cancelled`, `noBrowser`, `invalidParameters`, `refused`, `stateMismatch`,
    ///   `issuerMismatch`, `malformed`, `pushFailed`, `otherRedirect`, `noPendingRequest`); ``AuthSessionError``
    ///   (`contractMismatch`, `storeUnavailable`, `signInRefused`, `unreachable`, `unsafeAnswer`, `superseded`);
    ///   `CancellationError`.
    ///
    /// [RFC 8252, 7](https://www.rfc-editor.org/rfc/rfc8252#section-7).
    @discardableResult
    public func signIn(
        using sheet: WebAuthentication,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> User? {
        try await signIn(redirectURI: sheet.redirectURI, parameters) { url in
            try await WebAuthenticationSheet(sheet).redirect(from: url)
        }
    }
}
#endif
