// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// Changes that can follow an unreachable server.
@Suite(.timeLimit(.minutes(5)))
struct OfflineChangeTests {
    private static let ends: [StateChange] = [
        StateChange(
            "the server returns and rejects the token",
            .sessionToken,
            from: {
                try await $0.signIn()
                $0.backend.on(Backend.validate, Backend.unreachable)
                await $0.session.validate()
            },
            by: {
                $0.backend.on(Backend.validate) { _ in Backend.failure(401, code: "session_ended") }
                await $0.session.validate()
            },
            publishes: { [$0.offlineState, .signedOut(.endedByServer)] }
        ),
        StateChange(
            "the server returns and rejects the refresh token",
            from: { try await $0.goOffline() },
            by: {
                $0.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
                await $0.session.validate()
            },
            publishes: { [$0.offlineState, .signedOut(.endedByServer)] }
        ),
        StateChange(
            "the user has signed out in another process",
            from: { try await $0.goOffline() },
            by: {
                try await $0.store.removeItem(forKey: SessionRecord.key)
                await $0.session.validate()
            },
            publishes: { [$0.offlineState, .signedOut(.signedOutElsewhere)] }
        ),
        StateChange(
            "the user signs out",
            from: { try await $0.goOffline() },
            by: { await $0.session.signOut() },
            publishes: { [$0.offlineState, .signedOut(.userSignedOut)] }
        ),
    ]

    private static let returns: [StateChange] = [
        StateChange(
            "the user signs in again",
            from: { try await $0.goOffline() },
            by: { try await $0.signIn() },
            publishes: { [$0.offlineState, $0.signedInState] }
        ),
        StateChange(
            "another process has refreshed the tokens",
            from: { try await $0.goOffline() },
            by: { fixture in
                fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
                _ = try await fixture.otherProcess().accessToken()
                fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
                let sent = fixture.refreshes
                try await fixture.session.refresh()
                #expect(fixture.refreshes == sent)
            },
            publishes: { [$0.offlineState, $0.signedInState] }
        ),
    ]

    @Test(arguments: ends) func `an offline session ends`(change: StateChange) async throws {
        try await change.check()
    }

    @Test(arguments: returns) func `an offline session goes online again`(change: StateChange) async throws {
        try await change.check()
    }
}
