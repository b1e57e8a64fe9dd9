// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthTesting
import SecureStore

@testable import AuthSession

/// Steps that bring a session into a state.
extension Fixture {
    /// Locks the store and restores the session from it.
    func restoreLocked() async {
        store.faults.failAll(with: SecureStoreError(.locked))
        await session.restore(validating: false)
    }

    /// Unlocks the store.
    func unlockStore() { store.faults.failAll(with: nil) }

    /// Expires the access token.
    func expire() {
        clock.advance(by: session.backend.contract == .tokenPair ? .seconds(900) : .seconds(30 * 86_400))
    }

    /// Signs in, expires the tokens and makes the server unreachable.
    func goOffline() async throws {
        try await signIn()
        expire()
        backend.on(Backend.pairRefresh, Backend.unreachable)
        backend.on(Backend.tokenRefresh, Backend.unreachable)
        await session.validate()
    }

    /// Ends the session by the server's refusal of a refresh.
    func endByServer() async throws {
        try await signIn()
        backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
        _ = try? await session.refresh()
    }

    /// Loses a refresh response, which the server no longer repeats.
    func loseResponse() async throws {
        try await signIn()
        let server = rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        _ = try? await session.refresh()
        clock.advance(by: .seconds(900))
        backend.on(Backend.pairRefresh) { try server.refresh($0) }
        _ = try? await session.accessToken()
    }

    /// Signs out in another process.
    func signOutElsewhere() async throws {
        try await signIn()
        try await store.removeItem(forKey: SessionRecord.key)
        _ = try? await session.refresh()
    }

    /// Puts an unreadable record into the store and restores the session from it.
    func restoreUnreadable(_ text: String) async throws {
        try await put(text)
        await session.restore(validating: false)
    }

    /// Returns the text of a record of a backend with a pair of tokens.
    ///
    /// - Parameter tokens: The members of the tokens.
    static func record(
        _ tokens: String,
        generation: String = "0",
        user: String = "null",
        at server: String = "https://api.example.org"
    ) -> String {
        """
        {"version":1,"tokenGeneration":\(generation),"tokens":{\(tokens),"resources":[]},"user":\(user),"signIn":"s-9",\
        "authority":{"id":{"kind":"tokenPair","server":"\(server)"},"resources":[]},"resourceTokens":{"all":[]}}
        """
    }

    /// The fixture's user, offline since now.
    var offlineState: SessionState { .signedIn(user, .offline(since: clock.date)) }

    /// Makes every sign-in from now on that of another user.
    func respondWithOtherUser() {
        backend.on(Backend.login) { _ in
            .json(
                """
                {"user": {"id": "u2", "name": "Bob"}, "accessToken": "access-70", "refreshToken": "refresh-70", \
                "tokenType": "Bearer", "expiresIn": 900}
                """
            )
        }
    }

    /// The state with that other user signed in.
    var otherUserState: SessionState { .signedIn(SessionUser(id: "u2", name: "Bob"), .online) }
}
