// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import Foundation
import SecureStore
import TestSupport
import Testing

@testable import AuthSession

/// Case 28: the store can't write the new tokens.
///
/// They stay in memory, the write is retried, and the app is told.
@Suite struct UnsavedTokensTests {
    /// Returns a session whose store fails from the write of the new tokens on; the journal is still written.
    private func fixture() async throws -> Fixture {
        let fixture = try await Fixture.expired()
        let rotation = RotatingServer(clock: fixture.clock)
        fixture.backend.on(Backend.pairRefresh) { [store = fixture.store] request in
            store.faults.failWrites(with: SecureStoreError(.locked))
            return try rotation.refresh(request)
        }
        return fixture
    }

    private func repair(_ fixture: Fixture) {
        fixture.store.faults.failWrites(with: nil)
        fixture.backend.on(Backend.pairRefresh) { request in
            let presented = try request.members["refreshToken"]
            #expect(presented == .string("refresh-2"))
            return Backend.pair(3)
        }
    }

    @Test func `case 28: a failed write during a refresh loses no tokens`() async throws {
        let fixture = try await fixture()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(await fixture.session.persistenceError?.code == .locked)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")

        repair(fixture)
        try await fixture.session.flush()
        #expect(await fixture.session.persistenceError == nil)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-2")
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
    }

    @Test func `case 28: a failed write is retried automatically with growing pauses`() async throws {
        let fixture = try await fixture()
        _ = try await fixture.session.accessToken()
        for pause in [1, 2, 4] {
            let before = fixture.store.faults.callCount
            await fixture.clock.sleepers()
            #expect(fixture.store.faults.callCount == before)
            fixture.clock.advance(by: .seconds(pause))
            while fixture.store.faults.callCount == before { await Task.yield() }
        }
        repair(fixture)
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(8))
        while await fixture.session.persistenceError != nil { await Task.yield() }
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-2")
        while await fixture.session.saving != nil { await Task.yield() }
        #expect(fixture.clock.sleeperCount == 0)
    }

    @Test func `the next refresh stores unsaved tokens too`() async throws {
        let fixture = try await fixture()
        _ = try await fixture.session.accessToken()
        repair(fixture)
        try await fixture.session.refresh()
        #expect(await fixture.session.persistenceError == nil)
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-3")
    }

    @Test func `no further refresh token is consumed before unsaved tokens are stored`() async throws {
        let fixture = try await fixture()
        _ = try await fixture.session.accessToken()
        #expect(await code { try await fixture.session.refresh() } == .storeUnavailable)
        #expect(fixture.refreshes == 1)
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    /// Returns a session that has refreshed its tokens, and that the store refuses to write, with its lock.
    private func unsaved(lockIn folder: TemporaryFolder) async throws -> (Fixture, RotatingServer, SessionLock) {
        let lock = SessionLock(for: MemoryStore().scope, in: folder.url.path)
        let fixture = try await Fixture.expired(lock: .one(lock))
        let server = fixture.rotating { [store = fixture.store] response in
            store.faults.failWrites(with: SecureStoreError(.locked))
            return response
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        return (fixture, server, lock)
    }

    /// The store still holds the previous refresh token and a journal: another process would reuse that token.
    @Test func `a session holds the lock until its unsaved tokens are stored`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (fixture, server, lock) = try await unsaved(lockIn: folder)
        // Longer than the server's grace window.
        fixture.clock.advance(by: .seconds(11))
        await #expect(throws: SecureStoreError(.busy)) { try await lock.withLock(timeout: .zero) {} }

        fixture.store.faults.failWrites(with: nil)
        async let other = fixture.otherProcess().accessToken().unredacted
        try await fixture.session.flush()
        #expect(try await other == "access-2")
        #expect(server.rotations == 1 && server.reuses == 0)
        try await lock.withLock {}
    }

    /// The store still holds a token that this process has used up, and only this process knows it.
    @Test func `a sign-in that can't be stored keeps the lock of the unsaved tokens that it replaces`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (fixture, server, lock) = try await unsaved(lockIn: folder)
        fixture.clock.advance(by: .seconds(11))
        try await fixture.session.signIn(email: "ada@example.org", password: Password("p"), device: Fixture.device)
        await #expect(throws: SecureStoreError(.busy)) { try await lock.withLock(timeout: .zero) {} }

        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        try await lock.withLock {}
        #expect(server.rotations == 1 && server.reuses == 0)
    }

    @Test func `flush never overwrites newer tokens with older ones`() async throws {
        let fixture = try await fixture()
        _ = try await fixture.session.accessToken()
        repair(fixture)
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let refreshed: Void = fixture.session.refresh()
        await gate.waitForArrival()
        async let saved: Void = fixture.session.flush()
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        try await refreshed
        try await saved
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-3")
    }

    @Test func `unsaved tokens are dropped if the user signed out in another process`() async throws {
        let fixture = try await fixture()
        _ = try await fixture.session.accessToken()
        fixture.store.faults.failWrites(with: nil)
        try await fixture.store.removeItem(forKey: SessionRecord.key)
        try await fixture.session.flush()
        #expect(fixture.session.state == .signedOut(.signedOutElsewhere))
        #expect(try await fixture.stored() == nil)
    }
}

/// A refresh token is not consumed if the store can't be read or can't record the refresh.
@Suite struct UnavailableStoreTests {
    @Test func `a refresh token is not consumed if the store can't be read`() async throws {
        let fixture = try await Fixture.expired()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(fixture.refreshes == 0)
        #expect(fixture.session.state == fixture.signedInState)
        fixture.store.faults.failAll(with: nil)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    @Test func `a refresh token is not consumed if the store can't be written`() async throws {
        let fixture = try await Fixture.expired()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(fixture.refreshes == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a token that has not quite expired is returned while the store is locked`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(870))
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
    }

    @Test func `a session token is exchanged while the store is locked, since an exchange does not consume it`()
        async throws
    {
        let fixture = try await Fixture.expired(.sessionToken)
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
        #expect(await fixture.session.persistenceError?.code == .locked)
    }
}
