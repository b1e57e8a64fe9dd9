import AuthCore
import Logging
public import OpenIDConnect
import SecureStore

extension AuthSession {
    /// Begins a sign-in at the provider whose answer comes back to an address of the app's own: `recipe://callback`.
    ///
    /// What ties the answer to the request is kept in the store, so that the answer may come to another process: the
    /// system may have ended the app in the meantime. One sign-in is pending at a time, for half an hour; another one
    /// takes its place.
    ///
    /// - Parameters:
    ///   - redirectURI: The app's address, as the provider knows it.
    ///   - parameters: What is asked for.
    /// - Returns: What the browser opens. Holds the state: not for logs.
    /// - Throws: ``AuthSessionError`` (`contractMismatch`, `storeUnavailable`); `AuthorizationError` (`invalidParameters`,
    ///   `pushFailed`); `CancellationError`.
    ///
    /// [RFC 8252, 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
    public func beginSignIn(
        redirectURI: String,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> String {
        try await beginPending(redirectURI: redirectURI, parameters).url
    }

    /// Ends a sign-in that ``beginSignIn(redirectURI:_:)`` began, here or in a process that is gone.
    ///
    /// An address that is not the answer leaves the sign-in pending: any app can open an address of this one's. The answer
    /// is used once, whatever comes of it.
    ///
    /// - Parameter url: The address that the app was opened with. From outside.
    /// - Returns: Who signed in.
    /// - Throws: `AuthorizationError` (`noPendingRequest`, `otherRedirect`, `stateMismatch`, `issuerMismatch`,
    ///   `malformed`, `cancelled`, `refused`); ``AuthSessionError`` (`contractMismatch`, `storeUnavailable`,
    ///   `signInRefused`, `unreachable`, `unsafeAnswer`, `superseded`); `CancellationError`.
    @discardableResult
    public func completeSignIn(redirectedTo url: String) async throws -> User? {
        let provider = try requireProvider()
        let begun = personEpoch
        let found = try await readStore()
        let (request, item) = try await pendingRequest(at: provider)
        guard let isAnswer = AuthorizationResponse.isAnswer(redirectedTo: url, to: request) else {
            throw AuthorizationError(.otherRedirect)
        }
        guard isAnswer else { throw AuthorizationError(.stateMismatch) }
        let answer = Result { () throws(AuthorizationError) in
            try AuthorizationResponse(redirectedTo: url, answering: request)
        }
        do {
            // Replaced and not removed: of two processes that were handed the answer one replaces it, both may remove it.
            let isTaken = try await write { store in
                let used = PendingAuthorization.used
                let key = PendingAuthorization.key
                guard try await store.replaceItem(forKey: key, ifEquals: item, with: used) else { return false }
                _ = try await store.removeItem(forKey: key, ifEquals: used)
                return true
            }
            guard isTaken else { throw AuthorizationError(.noPendingRequest) }
        } catch let error as SecureStoreError {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
        return try await finish(try answer.get(), to: request, insteadOf: found, from: begun)
    }

    /// Removes a pending sign-in that no process can complete any more.
    ///
    /// Called at a restore and at the beginning of a sign-in; ``signOut()`` removes every pending one.
    func removeOverdueSignIn() async {
        let now = clock.date()
        do {
            try await write { try await PendingAuthorization.removeIfOver(in: $0, at: now) }
        } catch {
            // The next restore finds it again.
            logger.debug("a pending sign-in that has expired can't be removed now")
        }
    }

    /// Forgets a sign-in that is pending, where there is one.
    ///
    /// - Throws: `SecureStoreError`; `CancellationError`.
    public func cancelPendingSignIn() async throws {
        try await write { try await $0.removeItem(forKey: PendingAuthorization.key) }
    }

    /// Signs in through something that shows the provider's page, and catches the app's address that it leads to.
    ///
    /// - Parameters:
    ///   - redirectURI: The app's address, as the provider knows it.
    ///   - parameters: What is asked for.
    ///   - browser: Shows what it is given, and gives back the address that it was led to. What it throws ends the sign-in,
    ///     and nothing stays pending.
    /// - Returns: Who signed in.
    /// - Throws: What ``beginSignIn(redirectURI:_:)``, the browser and ``completeSignIn(redirectedTo:)`` throw.
    func signIn(
        redirectURI: String,
        _ parameters: AuthorizationParameters,
        through browser: @Sendable (String) async throws -> String
    ) async throws -> User? {
        let (url, item) = try await beginPending(redirectURI: redirectURI, parameters)
        let callback: String
        do {
            callback = try await browser(url)
        } catch {
            // No answer comes to this one any more; another that took its place stays.
            _ = try? await write { try await $0.removeItem(forKey: PendingAuthorization.key, ifEquals: item) }
            throw error
        }
        return try await completeSignIn(redirectedTo: callback)
    }

    /// Whether an address is the answer, good or bad, to the sign-in that is pending.
    ///
    /// - Parameter url: The address that the app was opened with. From outside.
    /// - Returns: Whether it is; false also where no sign-in is pending.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable` where nobody can say); `CancellationError`.
    func isSignInAnswer(_ url: String) async throws -> Bool {
        guard let provider = backend.provider else { return false }
        do {
            let request = try await pendingRequest(at: provider).request
            return AuthorizationResponse.isAnswer(redirectedTo: url, to: request) ?? false
        } catch is AuthorizationError {
            return false
        }
    }

    /// Keeps what ties the answer to the request, and gives what the browser opens.
    private func beginPending(
        redirectURI: String,
        _ parameters: AuthorizationParameters
    ) async throws -> (url: String, item: SecretBytes) {
        let provider = try requireProvider()
        try await tellEndedSessionsBeforeSignIn()
        let request = authorizationRequest(to: provider, redirectURI: redirectURI, parameters)
        let url = try await provider.authorizationURL(for: request, pushing: parameters.pushesRequest)
        let item = try PendingAuthorization(request, at: provider, beganAt: clock.date()).encoded()
        do {
            try await write { try await $0.setItem(item, forKey: PendingAuthorization.key) }
        } catch let error as SecureStoreError {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
        return (url, item)
    }

    private func pendingRequest(
        at provider: OpenIDProvider
    ) async throws -> (request: AuthorizationRequest, item: SecretBytes) {
        do {
            guard let item = try await store.item(forKey: PendingAuthorization.key),
                let pending = PendingAuthorization(item, of: provider, at: clock.date()),
                let request = pending.request(at: provider)
            else {
                await removeOverdueSignIn()
                throw AuthorizationError(.noPendingRequest)
            }
            return (request, item)
        } catch let error as SecureStoreError {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }

    /// The request of one attempt.
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
            boundTo: parameters.bindsTokens ? DPoPKey() : nil
        )
    }

    /// The code becomes a session.
    func finish(
        _ response: AuthorizationResponse,
        to request: AuthorizationRequest,
        insteadOf found: Replaced,
        from begun: Int
    ) async throws -> User? {
        let provider = try requireProvider()
        await stopTelling()
        let tokens = try await openIDAnswer { try await provider.tokens(for: response, to: request) }
        let signedIn = signedIn(tokens, request.parameters, boundTo: request.proofKey)
        return try await begin(signedIn, isRemembered: true, insteadOf: found, from: begun)
    }
}
