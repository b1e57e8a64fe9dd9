import APIClient
import AuthTesting
import SecureStore

@testable import AuthSession

/// Ways to where a session may stand.
extension Fixture {
    /// Lets a store be locked, and have been found so.
    func findLocked() async {
        store.faults.failAll(with: SecureStoreError(.locked))
        await session.restore(checksServer: false)
    }

    /// Lets the store open.
    func open() { store.faults.failAll(with: nil) }

    /// Lets the access token end.
    func expire() {
        clock.advance(by: session.backend.contract == .tokenPair ? .seconds(900) : .seconds(30 * 86_400))
    }

    /// Lets somebody be signed in with tokens that have ended, and the server be away.
    func goOffline() async throws {
        try await signIn()
        expire()
        backend.on(Backend.pairRefresh, Backend.unreachable)
        backend.on(Backend.tokenRefresh, Backend.unreachable)
        await session.check()
    }

    /// Lets the server end the session.
    func endByServer() async throws {
        try await signIn()
        backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
        _ = try? await session.refresh()
    }

    /// Lets an answer be lost, and the server repeat it no more.
    func loseAnswer() async throws {
        try await signIn()
        let server = rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        _ = try? await session.refresh()
        clock.advance(by: .seconds(900))
        backend.on(Backend.pairRefresh) { try server.refresh($0) }
        _ = try? await session.accessToken()
    }

    /// Lets the person sign out in another process.
    func signOutElsewhere() async throws {
        try await signIn()
        try await store.removeItem(forKey: SessionRecord.key)
        _ = try? await session.refresh()
    }

    /// Lets the store hold what can't be read here, and have been read.
    func findUnreadable(_ text: String) async throws {
        try await put(text)
        await session.restore(checksServer: false)
    }

    /// Who is signed in, in offline mode since now.
    var offlineState: SessionState { .signedIn(user, .offline(since: clock.date)) }

    /// Lets whoever signs in from now on be another person.
    func letSomebodyElseSignIn() {
        backend.on(Backend.login) { _ in
            .json(
                """
                {"user": {"id": "u2", "name": "Bob"}, "accessToken": "access-70", "refreshToken": "refresh-70", \
                "tokenType": "Bearer", "expiresIn": 900}
                """
            )
        }
    }

    /// That other person, signed in.
    var elsesState: SessionState { .signedIn(User(id: "u2", name: "Bob"), .online) }
}
