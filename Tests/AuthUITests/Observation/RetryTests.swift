// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthTesting
import SecureStore
import Testing

@testable import AuthSessionTests
@testable import AuthUI

/// The retry button while the session's state is still unknown.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    @Test func `retry reads the store if it has not been read`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = AuthenticationManager(session: try fixture.otherProcess())
        #expect(manager.state == .restoring)
        await manager.retry()
        #expect(manager.state == fixture.signedInState)
        #expect(!manager.isLoading)
    }

    @Test func `retry reads a locked store again and shows the user once it is unlocked`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = AuthenticationManager(session: try fixture.otherProcess())
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await manager.restore()
        await manager.retry()
        #expect(manager.state == .locked(SecureStoreError(.locked)))
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        fixture.store.faults.failAll(with: nil)
        await manager.retry()
        #expect(manager.state == fixture.signedInState)
    }
}
