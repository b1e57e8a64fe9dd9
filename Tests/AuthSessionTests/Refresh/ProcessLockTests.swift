// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import SecureStore
import TestSupport
import Testing

@testable import AuthSession

/// Case 25: another process refreshes at the same moment.
@Suite struct ProcessLockTests {
    private func withLock(_ test: (SessionLock) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await test(SessionLock(for: MemoryStore().scope, in: folder.url.path))
    }

    @Test func `case 25: two sessions of one store that refresh at the same time send one refresh`() async throws {
        try await withLock { lock in
            let fixture = try await Fixture.expired(lock: .one(lock))
            let server = fixture.rotating()
            let other = try fixture.otherProcess()
            await other.restore(validating: false)
            async let first = fixture.session.accessToken().unredacted
            async let second = other.accessToken().unredacted
            // The session that waits for the lock sleeps on a real clock.
            #expect(try await first == "access-2")
            #expect(try await second == "access-2")
            #expect(fixture.refreshes == 1 && server.rotations == 1)
        }
    }

    @Test func `a session waits while another one holds the lock, and sends no refresh of its own`() async throws {
        try await withLock { lock in
            let fixture = try await Fixture.expired(lock: .one(lock))
            let other = try fixture.otherProcess()
            await other.restore(validating: false)
            let gate = Gate()
            fixture.backend.on(Backend.pairRefresh) { _ in
                await gate.pass()
                return Backend.pair(2)
            }
            async let first = fixture.session.accessToken().unredacted
            await gate.waitForArrival()
            async let second = other.accessToken().unredacted
            while await other.flight == nil { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            #expect(fixture.refreshes == 1)
            gate.open()
            #expect(try await first == "access-2")
            #expect(try await second == "access-2")
            #expect(fixture.refreshes == 1)
        }
    }

    @Test func `a session that is not remembered does not acquire the lock`() async throws {
        try await withLock { lock in
            let fixture = try Fixture(lock: .one(lock))
            try await fixture.signIn(rememberMe: false)
            try await lock.withLock {
                try await fixture.session.refresh()
            }
            #expect(try await fixture.session.accessToken().unredacted == "access-2")
        }
    }

    @Test func `a refresh is sent without the lock if the lock can't be created`() async throws {
        let fixture = try await Fixture.expired(
            lock: .one(SessionLock(for: MemoryStore().scope, in: "/dev/null/nowhere"))
        )
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }
}
