// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect
import SecureStore

extension AuthSession {
    /// Begins a sign-in at the provider whose redirect opens the app, for example `com.example.app:/callback`.
    ///
    /// The request's state, nonce and code verifier are kept in the store, so that another process can complete the
    /// sign-in: the system may end the app meanwhile. One sign-in is pending at a time, for half an hour. Another one
    /// replaces it.
    ///
    /// - Returns: The URL for the browser to open. Contains the state: not for logs.
    /// - Throws: `AuthSessionError` (`contractMismatch`, `storeUnavailable`); `OpenIDError`; `CancellationError`.
    ///
    /// [RFC 8252, 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
    public func beginSignIn(
        redirectURI: String,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> String {
        try await beginPending(at: requireProvider(), redirectURI: redirectURI, parameters).url
    }

    /// Signs in through a user agent that opens a URL and returns the redirect to the app.
    ///
    /// An error from it ends the sign-in, and nothing stays pending. `AuthSessionError` (`superseded`) also says that
    /// another sign-in completed while the page was shown.
    func signIn(
        redirectURI: String,
        _ parameters: AuthorizationParameters,
        through browser: @Sendable (String) async throws -> String
    ) async throws -> SessionUser? {
        let provider = try requireProvider()
        let ticket = try await signInTicket()
        return try await ticket.observing {
            let (url, item) = try await beginPending(at: provider, redirectURI: redirectURI, parameters)
            let callback = try await redirect(from: url, pending: item, through: browser)
            return try await finish(ticket, redirectedTo: callback, at: provider)
        }
    }

    private func beginPending(
        at provider: OpenIDProvider,
        redirectURI: String,
        _ parameters: AuthorizationParameters
    ) async throws -> (url: String, item: SecretBytes) {
        try await flushPendingRevocationsBeforeSignIn()
        let (request, url) = try await provider.authorization(redirectingTo: redirectURI, parameters)
        let item = try await setPendingSignIn(PendingAuthorization(request, at: provider, beganAt: clock.date()))
        return (url, item)
    }

    fileprivate func pendingRequest(at provider: OpenIDProvider) async throws -> (AuthorizationRequest, SecretBytes) {
        guard let item = try await pendingSignInItem(),
            let pending = PendingAuthorization(item, of: provider, at: clock.date()),
            let request = pending.request(at: provider)
        else {
            await removeOverdueSignIns()
            throw OpenIDError(.authorization, .noPendingAuthorization)
        }
        return (request, item)
    }

    fileprivate func finish(
        _ ticket: SignInTicket,
        redirectedTo url: String,
        at provider: OpenIDProvider
    ) async throws -> SessionUser? {
        let (request, item) = try await pendingRequest(at: provider)
        guard let isResponse = AuthorizationResponse.isResponse(redirectedTo: url, to: request) else {
            throw OpenIDError(.authorization, .redirectMismatch)
        }
        guard isResponse else { throw OpenIDError(.authorization, .stateMismatch) }
        let response = Result { try AuthorizationResponse(redirectedTo: url, to: request) }
        guard try await takePendingSignIn(item) else { throw OpenIDError(.authorization, .noPendingAuthorization) }
        return try await finish(ticket, at: provider, with: response.get(), to: request)
    }

    /// Exchanges the code for tokens and begins the session.
    func finish(
        _ ticket: SignInTicket,
        at provider: OpenIDProvider,
        with response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> SessionUser? {
        try await begin(ticket, at: provider, request.parameters, dpopKey: request.dpopKey) { mayShareGrant in
            try await provider.tokens(for: response, to: request, mayShareGrant: mayShareGrant)
        }
    }
}

extension OpenIDAuthority: RedirectSignIn {
    /// Returns whether a URL is the authorization response to the pending request, also if it reports an error.
    func isSignInResponse(_ url: String, in session: AuthSession) async throws -> Bool {
        do {
            let (request, _) = try await session.pendingRequest(at: provider)
            return AuthorizationResponse.isResponse(redirectedTo: url, to: request) ?? false
        } catch is OpenIDError {
            return false
        }
    }

    func completeSignIn(redirectedTo url: String, in session: AuthSession) async throws -> SessionUser? {
        let ticket = try await session.signInTicket()
        return try await ticket.observing { try await session.finish(ticket, redirectedTo: url, at: provider) }
    }
}

extension OpenIDProvider {
    /// Creates the request of one sign-in attempt, and the URL for the browser.
    func authorization(
        redirectingTo redirectURI: String,
        _ parameters: AuthorizationParameters
    ) async throws -> (AuthorizationRequest, url: String) {
        let request = AuthorizationRequest(
            provider: metadata,
            clientID: client.id,
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: Nonce().sha256,
            dpopKey: parameters.usesDPoP ? DPoPKey() : nil
        )
        return (request, try await authorizationURL(for: request, pushed: parameters.usesPushedAuthorizationRequest))
    }
}
