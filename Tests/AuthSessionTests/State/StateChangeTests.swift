import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// States that are published when the store is first read, and when one user follows another.
@Suite(.timeLimit(.minutes(5)))
struct StateChangeTests {
    private static let opening: [StateChange] = [
        StateChange(
            "signing out of what was never restored",
            from: { try await $0.signInElsewhere() },
            by: { await $0.session.signOut() },
            tells: { [.restoring, $0.signedInState, .signedOut(.userSignedOut)] }
        ),
        StateChange(
            "a store that opens and is empty",
            from: { await $0.findLocked() },
            by: {
                $0.open()
                await $0.session.restore(validating: false)
            },
            tells: { _ in [.locked(SecureStoreError(.locked)), .signedOut(.noSession)] }
        ),
        StateChange(
            "a store that opens and holds what can't be read",
            from: {
                try await $0.put("not JSON")
                await $0.findLocked()
            },
            by: {
                $0.open()
                await $0.session.restore(validating: false)
            },
            tells: { _ in [.locked(SecureStoreError(.locked)), .signedOut(.unreadableRecord(.damaged))] }
        ),
        StateChange(
            "a store that can't be read for another reason now",
            from: { await $0.findLocked() },
            by: {
                $0.store.faults.failAll(with: SecureStoreError(.timedOut))
                await $0.session.restore(validating: false)
            },
            tells: { _ in [.locked(SecureStoreError(.locked)), .locked(SecureStoreError(.timedOut))] }
        ),
        StateChange(
            "signing in over a locked store, not to be remembered",
            from: { await $0.findLocked() },
            by: { try await $0.signIn(rememberMe: false) },
            tells: { [.locked(SecureStoreError(.locked)), $0.signedInState] }
        ),
        StateChange(
            "signing out of what a store holds that opens only now",
            from: {
                try await $0.signInElsewhere()
                await $0.findLocked()
            },
            by: {
                $0.open()
                await $0.session.signOut()
            },
            tells: { [.locked(SecureStoreError(.locked)), $0.signedInState, .signedOut(.userSignedOut)] }
        ),
        StateChange(
            "signing out where the store opens too late to be read",
            from: {
                try await $0.signInElsewhere()
                await $0.findLocked()
            },
            by: {
                $0.open()
                $0.store.faults.failCall(1, with: SecureStoreError(.locked))
                await $0.session.signOut()
            },
            tells: { _ in [.locked(SecureStoreError(.locked)), .signedOut(.userSignedOut)] }
        ),
    ]

    private static let people: [StateChange] = [
        StateChange(
            "another person signs in",
            from: { try await $0.signIn() },
            by: {
                $0.letSomebodyElseSignIn()
                try await $0.signIn()
            },
            tells: { [$0.signedInState, $0.elsesState] }
        ),
        StateChange(
            "another person signs in after the server was away",
            from: { try await $0.goOffline() },
            by: {
                $0.letSomebodyElseSignIn()
                try await $0.signIn()
            },
            tells: { [$0.offlineState, $0.elsesState] }
        ),
        StateChange(
            "the server has another name for the person",
            .sessionToken,
            from: { try await $0.signIn() },
            by: {
                $0.backend.on(Backend.validate) { _ in .json(#"{"user": {"id": "u1", "name": "Ada King"}}"#) }
                await $0.session.validate()
            },
            tells: { [$0.signedInState, .signedIn(SessionUser(id: "u1", name: "Ada King"), .online)] }
        ),
    ]

    @Test(arguments: opening) func `what the store lets know is told, step by step`(change: StateChange) async throws {
        try await change.check()
    }

    @Test(arguments: people) func `who is signed in is told anew`(change: StateChange) async throws {
        try await change.check()
    }
}
