// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import Observation
import Testing

@testable import AuthSessionTests
@testable import AuthUI

/// Changes that a screen sees without polling.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ObservedChangesTests {
    /// Returns a task that observes, as a screen does, until a condition that is still false becomes true.
    private func watch(_ condition: @escaping @MainActor @Sendable () -> Bool) async -> Task<Void, Never> {
        #expect(!condition())
        let begun = Event()
        let watching = Task {
            for await isSo in Observations({ condition() }) {
                if isSo { return }
                begun.happen()
            }
        }
        await begun.wait()
        return watching
    }

    @Test func `an error is observed when it appears and when it disappears`() async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session, device: Fixture.device)
        await manager.restore()
        fixture.backend.on(Backend.login) { _ in
            Backend.failure(401, code: "invalid_credentials", message: "No.")
        }
        let coming = await watch { manager.errorMessage == "The e-mail address or the password is wrong." }
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        await coming.value
        let going = await watch { manager.errorMessage == nil }
        await manager.retry()
        await going.value
    }

    @Test func `another user and another name are observed`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let manager = AuthenticationManager(session: fixture.session)
        let renamed = await watch { manager.currentUser?.name == "Ada King" }
        fixture.backend.on(Backend.validate) { _ in .json(#"{"user": {"id": "u1", "name": "Ada King"}}"#) }
        await fixture.session.validate()
        await renamed.value
        let replaced = await watch { manager.currentUser?.id == "u2" }
        fixture.backend.on(Backend.apple) { _ in
            .json(#"{"success": true, "token": "\#(Backend.jwt(7))", "user": {"id": "u2"}}"#)
        }
        try await fixture.signIn()
        await replaced.value
    }

    @Test func `a sign-out is observed even if the manager did not start it`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = AuthenticationManager(session: fixture.session)
        let signedOut = await watch { !manager.isAuthenticated && manager.currentUser == nil }
        await fixture.session.signOut()
        await signedOut.value
        #expect(manager.state == .signedOut(.userSignedOut))
    }
}
