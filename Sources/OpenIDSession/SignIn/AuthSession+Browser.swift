// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
public import APIClient
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
        return try await ticket.observing { try await signIn(ticket, at: provider, using: browser, parameters) }
    }

    private func signIn(
        _ ticket: SignInTicket,
        at provider: OpenIDProvider,
        using browser: ExternalUserAgent,
        _ parameters: AuthorizationParameters
    ) async throws -> SessionUser? {
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

    /// Signs the user in again in the browser, as an API's challenge requires.
    ///
    /// The new session replaces the old one only if the same user signs in and the provider meets the challenge, as
    /// ``stepUpParameters(for:_:)`` describes. Otherwise, or if cancelled, the session stays as it is. Afterwards send
    /// the request to the API once more. If the API requires the same again, another step-up would not help.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, for example `APIError.stepUp`.
    ///   - browser: The browser, with the redirect address of the listener.
    ///   - parameters: The parameters of the sign-in, which those of the challenge are added to.
    /// - Returns: The user.
    /// - Throws: The errors of ``stepUpParameters(for:_:)`` and of the sign-in with an `ExternalUserAgent`;
    ///   `AuthSessionError` (`userMismatch`; `invalidResponse` if the user authenticated longer ago than the API
    ///   accepts); `OpenIDError`.
    ///
    /// [RFC 9470, 4](https://www.rfc-editor.org/rfc/rfc9470#section-4).
    @discardableResult
    public func stepUp(
        _ challenge: StepUpChallenge,
        using browser: ExternalUserAgent,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> SessionUser? {
        let parameters = try await stepUpParameters(for: challenge, parameters)
        return try await signIn(using: browser, parameters)
    }
}
#endif
