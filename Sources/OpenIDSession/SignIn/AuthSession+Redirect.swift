// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
public import AuthSession
import Logging
public import OpenIDConnect
import SecureStore

extension AuthSession {
    /// Begins a sign-in at the provider whose redirect opens the app, for example `com.example.app:/callback`.
    ///
    /// The request's state, nonce and code verifier are kept in the store, so that another process can complete the
    /// sign-in: the system may end the app meanwhile. One sign-in is pending at a time, for half an hour. Another one
    /// replaces it.
    ///
    /// - Parameters:
    ///   - redirectURI: The app's redirect URI, as registered at the provider.
    ///   - parameters: The parameters of the authorization request.
    /// - Returns: The URL for the browser to open. Contains the state: not for logs.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`); `OpenIDError`; `CancellationError`.
    ///
    /// [RFC 8252, 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
    public func beginSignIn(
        redirectURI: String,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> String {
        try await beginPending(redirectURI: redirectURI, parameters).url
    }

    /// Completes a sign-in that ``beginSignIn(redirectURI:_:)`` began.
    func completeAuthorization(redirectedTo url: String) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        return try await ticket.observing { try await finish(ticket, redirectedTo: url, at: provider) }
    }

    private func finish(
        _ ticket: SignInTicket,
        redirectedTo url: String,
        at provider: OpenIDProvider
    ) async throws -> SessionUser? {
        let (request, item) = try await pendingRequest(at: provider)
        guard let isResponse = AuthorizationResponse.isResponse(redirectedTo: url, to: request) else {
            throw OpenIDError(.authorization, .redirectMismatch)
        }
        guard isResponse else { throw OpenIDError(.authorization, .stateMismatch) }
        let result = Result { () throws(OpenIDError) in
            try AuthorizationResponse(redirectedTo: url, to: request)
        }
        guard try await takePendingSignIn(item) else { throw OpenIDError(.authorization, .noPendingAuthorization) }
        return try await finish(ticket, with: try result.get(), to: request)
    }

    /// Signs in through a user agent that shows the provider's page and catches the redirect to the app.
    ///
    /// - Parameters:
    ///   - redirectURI: The app's redirect URI, as registered at the provider.
    ///   - parameters: The parameters of the authorization request.
    ///   - browser: The closure that opens a URL and returns the redirect. An error from it ends the sign-in, and
    ///     nothing stays pending.
    /// - Returns: The user who signed in.
    /// - Throws: The errors of ``beginSignIn(redirectURI:_:)``, `browser` and `completeSignIn(redirectedTo:)`;
    ///   `AuthSessionError` (`superseded` also if another sign-in completed while the page was shown).
    func signIn(
        redirectURI: String,
        _ parameters: AuthorizationParameters,
        through browser: @Sendable (String) async throws -> String
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        return try await ticket.observing {
            let (url, item) = try await beginPending(redirectURI: redirectURI, parameters)
            let callback = try await redirect(from: url, pending: item, through: browser)
            return try await finish(ticket, redirectedTo: callback, at: provider)
        }
    }

    /// Returns whether a URL is the authorization response to the pending request, also if it reports an error.
    ///
    /// - Parameters:
    ///   - url: The URL that the app was opened with. Untrusted.
    ///   - provider: The session's provider.
    /// - Returns: False also if no sign-in is pending.
    /// - Throws: `AuthSessionError` (`storeUnavailable` if the store can't be read); `CancellationError`.
    func isSignInResponse(_ url: String, from provider: OpenIDProvider) async throws -> Bool {
        do {
            let request = try await pendingRequest(at: provider).request
            return AuthorizationResponse.isResponse(redirectedTo: url, to: request) ?? false
        } catch is OpenIDError {
            return false
        }
    }

    /// Stores a new pending sign-in and returns the URL for the browser.
    private func beginPending(
        redirectURI: String,
        _ parameters: AuthorizationParameters
    ) async throws -> (url: String, item: SecretBytes) {
        let provider = try requireProvider()
        try await flushPendingRevocationsBeforeSignIn()
        let request = authorizationRequest(to: provider, redirectURI: redirectURI, parameters)
        let url = try await provider.authorizationURL(
            for: request,
            pushed: parameters.usesPushedAuthorizationRequest
        )
        let item = try await setPendingSignIn(PendingAuthorization(request, at: provider, beganAt: clock.date()))
        return (url, item)
    }

    private func pendingRequest(
        at provider: OpenIDProvider
    ) async throws -> (request: AuthorizationRequest, item: SecretBytes) {
        guard let item = try await pendingSignInItem(),
            let pending = PendingAuthorization(item, of: provider, at: clock.date()),
            let request = pending.request(at: provider)
        else {
            await removeOverdueSignIns()
            throw OpenIDError(.authorization, .noPendingAuthorization)
        }
        return (request, item)
    }

    /// Creates the request of one sign-in attempt.
    func authorizationRequest(
        to provider: OpenIDProvider,
        redirectURI: String,
        _ parameters: AuthorizationParameters
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: Nonce().sha256,
            dpopKey: parameters.usesDPoP ? DPoPKey() : nil
        )
    }

    /// Exchanges the code for tokens and begins the session.
    func finish(
        _ ticket: SignInTicket,
        with response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        await cancelRevocations()
        let mayShareGrant = mayShareGrant(ticket)
        let tokens = try await openIDResponse {
            try await provider.tokens(for: response, to: request, mayShareGrant: mayShareGrant)
        }
        return try await begin(ticket, with: tokens, request.parameters, dpopKey: request.dpopKey)
    }
}
