// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore
public import AuthSession
import OpenIDConnect
public import SecureStore

extension AuthSession {
    /// Creates the session of a program, which is kept in memory unless a store is given.
    ///
    /// Nothing is read and no request is sent before ``signInAsClient(usesDPoP:)``.
    ///
    /// - Parameters:
    ///   - backend: The backend, with the program's grant.
    ///   - store: The store that keeps the session for other processes, with the client's secret.
    ///   - transport: The transport of the requests; nil for the platform's.
    public init(
        program backend: SessionBackend,
        store: any SecureStore = MemoryStore(),
        transport: (any Transport)? = nil
    ) {
        self.init(backend: backend, store: store, transport: transport)
    }

    /// Signs a program in by the grant of its backend, without a user; does nothing if it is signed in as requested.
    ///
    /// Call it before the first token is used. It takes the session from the store if there is one. Tasks and processes
    /// that call it at the same time share one request. From then on `accessToken()` requests another token if one is
    /// due. With a `MemoryStore` nothing is written.
    ///
    /// - Parameter usesDPoP: Whether the tokens are bound to a new key ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).
    ///   If so, a session whose tokens are not bound is replaced.
    /// - Throws: `AuthSessionError` (`contractMismatch` if the backend is not a ``ProgramAuthority``;
    ///   `storeUnavailable`; `signInRefused` with the server's code; `unreachable`; `invalidResponse`; `superseded`;
    ///   `busy` if another process holds the session's lock); `OpenIDError`; `CancellationError` at once if the task
    ///   is cancelled.
    ///
    /// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
    public func signInAsClient(usesDPoP: Bool = false) async throws {
        guard let authority = authority as? ProgramAuthority else {
            throw AuthSessionError(.contractMismatch)
        }
        try await authority.signIn.run { try await self.signIn(at: authority, usesDPoP: usesDPoP) }
        // The sign-in may have been that of a caller who requested no key.
        guard usesDPoP, !isSenderConstrained, tokensInHand != nil else { return }
        try await authority.signIn.run { try await self.signIn(at: authority, usesDPoP: true) }
    }

    private func signIn(at authority: ProgramAuthority, usesDPoP: Bool) async throws {
        try await withProcessLock { try await signInUnlessSignedIn(at: authority, usesDPoP: usesDPoP) }
    }

    private func signInUnlessSignedIn(at authority: ProgramAuthority, usesDPoP: Bool) async throws {
        // Another process may have signed in while this one waited for the lock.
        try await adoptStoredSession()
        if case .signedIn = state, isSenderConstrained || !usesDPoP { return }
        let ticket = try await signInTicket()
        try await ticket.observing {
            try await requestFirstToken(ticket, from: authority, with: usesDPoP ? DPoPKey() : nil)
        }
    }

    private func requestFirstToken(
        _ ticket: SignInTicket,
        from authority: ProgramAuthority,
        with key: DPoPKey?
    ) async throws {
        try await flushPendingRevocationsBeforeSignIn()
        let start = clock.reading()
        var tokens = try await openIDResponse {
            try await authority.provider.tokens(for: authority.target, by: authority.grant, dpopKey: key)
        }
        tokens.dpopKeyBytes = key?.bytes
        tokens.resources = authority.tokenResources
        let issued = IssuedTokens(
            tokens: tokens,
            requestedAt: start,
            requestedScope: authority.target.scope
        )
        try await complete(ticket, with: issued, user: nil)
    }
}
