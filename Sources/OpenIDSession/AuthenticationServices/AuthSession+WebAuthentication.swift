// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import APIClient
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

    /// Signs the user in again in the system's sheet, as an API's challenge requires.
    ///
    /// The new session replaces the old one only if the same user signs in and the provider meets the challenge, as
    /// ``stepUpParameters(for:_:)`` describes. Otherwise, or if cancelled, the session stays as it is. Afterwards send
    /// the request to the API once more. If the API requires the same again, another step-up would not help.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, for example `APIError.stepUp`.
    ///   - sheet: The sheet that shows the provider's page, with the redirect URI.
    ///   - parameters: The parameters of the sign-in, which those of the challenge are added to.
    /// - Returns: The user.
    /// - Throws: The errors of ``stepUpParameters(for:_:)`` and of the sign-in with a ``WebAuthentication``;
    ///   `AuthSessionError` (`userMismatch`; `invalidResponse` if the user authenticated longer ago than the API
    ///   accepts); `OpenIDError`.
    ///
    /// [RFC 9470, 4](https://www.rfc-editor.org/rfc/rfc9470#section-4).
    @discardableResult
    public func stepUp(
        _ challenge: StepUpChallenge,
        using sheet: WebAuthentication,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> SessionUser? {
        let parameters = try await stepUpParameters(for: challenge, parameters)
        return try await signIn(using: sheet, parameters)
    }

    /// Signs out as `signOut()` does, and shows the provider's page to sign out in the system's sheet.
    ///
    /// The session ends here first, whatever happens in the sheet. If the user closes it, the user is signed out here
    /// and may still be signed in at the provider. If cancelled, the sheet closes. To sign out from
    /// `AuthenticationManager`, give it this call:
    ///
    ///     AuthenticationManager(session: session, signingOut: { await $0.signOut(using: sheet).result })
    ///
    /// The system asks the user first, in the words of a sign-in. A private browser session, `isEphemeral`, has left no
    /// session in the browser to end.
    ///
    /// - Parameters:
    ///   - sheet: The sheet that shows the provider's page.
    ///   - returns: Whether the provider accepts the sheet's redirect URI after a sign-out. If true, the sheet closes by
    ///     itself. If false, the user closes it.
    /// - Returns: The result of the sign-out here and at the provider.
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
