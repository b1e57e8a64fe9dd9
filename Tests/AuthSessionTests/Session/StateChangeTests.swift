// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// States that are published when the store is first read, and when one user follows another.
@Suite(.timeLimit(.minutes(5)))
struct StateChangeTests {
    private static let opening: [StateChange] = [
        StateChange(
            "the user signs out of a session that was never restored",
            from: { try await $0.signInElsewhere() },
            by: { await $0.session.signOut() },
            publishes: { [.restoring, $0.signedInState, .signedOut(.userSignedOut)] }
        ),
        StateChange(
            "the store is unlocked and is empty",
            from: { await $0.restoreLocked() },
            by: {
                $0.unlockStore()
                await $0.session.restore(validating: false)
            },
            publishes: { _ in [.locked(SecureStoreError(.locked)), .signedOut(.noSession)] }
        ),
        StateChange(
            "the store is unlocked and holds an unreadable record",
            from: {
                try await $0.put("not JSON")
                await $0.restoreLocked()
            },
            by: {
                $0.unlockStore()
                await $0.session.restore(validating: false)
            },
            publishes: { _ in [.locked(SecureStoreError(.locked)), .signedOut(.unreadableRecord(.damaged))] }
        ),
        StateChange(
            "the store can't be read for another reason",
            from: { await $0.restoreLocked() },
            by: {
                $0.store.faults.failAll(with: SecureStoreError(.timedOut))
                await $0.session.restore(validating: false)
            },
            publishes: { _ in [.locked(SecureStoreError(.locked)), .locked(SecureStoreError(.timedOut))] }
        ),
        StateChange(
            "the user signs in while the store is locked, without being remembered",
            from: { await $0.restoreLocked() },
            by: { try await $0.signIn(rememberMe: false) },
            publishes: { [.locked(SecureStoreError(.locked)), $0.signedInState] }
        ),
        StateChange(
            "the user signs out of a session in a store that was just unlocked",
            from: {
                try await $0.signInElsewhere()
                await $0.restoreLocked()
            },
            by: {
                $0.unlockStore()
                await $0.session.signOut()
            },
            publishes: { [.locked(SecureStoreError(.locked)), $0.signedInState, .signedOut(.userSignedOut)] }
        ),
        StateChange(
            "the user signs out, and the store is unlocked too late to be read",
            from: {
                try await $0.signInElsewhere()
                await $0.restoreLocked()
            },
            by: {
                $0.unlockStore()
                $0.store.faults.failCall(1, with: SecureStoreError(.locked))
                await $0.session.signOut()
            },
            publishes: { _ in [.locked(SecureStoreError(.locked)), .signedOut(.userSignedOut)] }
        ),
    ]

    private static let users: [StateChange] = [
        StateChange(
            "another user signs in",
            from: { try await $0.signIn() },
            by: {
                $0.respondWithOtherUser()
                try await $0.signIn()
            },
            publishes: { [$0.signedInState, $0.otherUserState] }
        ),
        StateChange(
            "another user signs in after the server was unreachable",
            from: { try await $0.goOffline() },
            by: {
                $0.respondWithOtherUser()
                try await $0.signIn()
            },
            publishes: { [$0.offlineState, $0.otherUserState] }
        ),
        StateChange(
            "the server has a new name for the user",
            .sessionToken,
            from: { try await $0.signIn() },
            by: {
                $0.backend.on(Backend.validate) { _ in .json(#"{"user": {"id": "u1", "name": "Ada King"}}"#) }
                await $0.session.validate()
            },
            publishes: { [$0.signedInState, .signedIn(SessionUser(id: "u1", name: "Ada King"), .online)] }
        ),
    ]

    @Test(arguments: opening) func `each state is published when the store is read for the first time`(
        change: StateChange
    ) async throws {
        try await change.check()
    }

    @Test(arguments: users) func `a change of the user is published`(change: StateChange) async throws {
        try await change.check()
    }
}
