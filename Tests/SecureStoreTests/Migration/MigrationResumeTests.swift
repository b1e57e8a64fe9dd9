// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Testing

@testable import SecureStore

/// Errors and kills during a migration, and an old app that is used again.
@Suite struct MigrationResumeTests {
    private let old = SecretBytes("old")
    private let other = SecretBytes("another")
    private let new = SecretBytes("new")

    @Test func `a migration killed at any step loses nothing and ends with the item in one location`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await MigrationFixture.with { fixture in
                try await fixture.older.setItem(old, forKey: .token)
                try await fixture.oldest.setItem(old, forKey: .token)
                try await killed { _ = try await fixture.store(kill: kill).itemAfterSearch() }
                #expect(try await fixture.found.contains(old))
                #expect(try await fixture.store().itemAfterSearch() == old)
                #expect(try await fixture.found == [old, nil, nil])
                #expect(try await fixture.names == ["token"])
            }
        }
        #expect(steps > 10)
    }

    @Test func `a migration that was killed keeps an item that a refresh has written since`() async throws {
        _ = try await KillSwitch.atEachStep { kill in
            try await MigrationFixture.with { fixture in
                try await fixture.older.setItem(old, forKey: .token)
                try await killed { _ = try await fixture.store(kill: kill).itemAfterSearch() }
                try await fixture.store().setItem(new, forKey: .token)
                #expect(try await fixture.store().itemAfterSearch() == new)
                #expect(try await fixture.found == [new, nil, nil])
                try await fixture.store().removeItem(forKey: .token)
                #expect(try await fixture.store().itemAfterSearch() == nil)
                #expect(try await fixture.found == [nil, nil, nil])
                #expect(try await fixture.names == [])
            }
        }
    }

    @Test(arguments: 0..<3)
    func `a store error at any call loses nothing, and the item ends in one location`(which: Int) async throws {
        var number = 1
        var wasReached = true
        while wasReached {
            try await MigrationFixture.with { fixture in
                try await fixture.older.setItem(old, forKey: .token)
                try await fixture.oldest.setItem(old, forKey: .token)
                let faulty = [fixture.target, fixture.older, fixture.oldest][which]
                let calls = faulty.callCount
                faulty.failCall(number, with: SecureStoreError(.failed))
                let found = try? await fixture.store().itemAfterSearch()
                #expect(found == nil || found == old)
                wasReached = faulty.callCount - calls >= number
                guard wasReached else { return }
                #expect(try await fixture.store().itemAfterSearch() == old)
                #expect(try await fixture.found == [old, nil, nil])
                #expect(try await fixture.names == ["token"])
            }
            number += 1
        }
        #expect(number > 2)
    }

    @Test func `a migrated value is not migrated again after its session ended`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            fixture.older.failWrites(with: SecureStoreError(.busy))
            #expect(try await fixture.store().itemAfterSearch() == old)
            // Simulates a program that is unaware of the migration.
            try await fixture.target.removeItem(forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            fixture.older.failWrites(with: nil)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == [nil, nil, nil])
        }
    }

    // MARK: A downgrade

    @Test func `a session that the old app began beside this one's stays until the sign-out`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == old)
            // The old app finds nothing, so the user signs in there.
            try await fixture.older.setItem(other, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == old)
            #expect(try await fixture.found == [old, other, nil])
            #expect(try await fixture.store().replaceItem(forKey: .token, ifEquals: old, with: new))
            #expect(try await fixture.store().itemAfterSearch() == new)
            #expect(try await fixture.found == [new, other, nil])
            #expect(try await fixture.names == ["token"])
            try await fixture.store().removeItem(forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == [nil, nil, nil])
        }
    }

    @Test func `a sign-in killed at any step has the older token or the new one, and then one place`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await MigrationFixture.with { fixture in
                try await fixture.older.setItem(old, forKey: .token)
                try await killed { try await fixture.store(kill: kill).setItem(new, forKey: .token) }
                let found = try await fixture.store().itemAfterSearch()
                #expect(found == old || found == new)
                _ = try await fixture.store().itemAfterSearch()
                #expect(try await fixture.found == [found, nil, nil])
                #expect(try await fixture.names == ["token"])
            }
        }
        #expect(steps == 4)
    }

    @Test func `a session that the old app began after a sign-out is migrated`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == old)
            try await fixture.store().removeItem(forKey: .token)
            try await fixture.older.setItem(other, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == other)
            #expect(try await fixture.found == [other, nil, nil])
        }
    }

    @Test func `a token that the sign-out could not remove stays dead, whatever the old app makes of it`()
        async throws
    {
        try await MigrationFixture.with { fixture in
            try await fixture.target.setItem(new, forKey: .token)
            try await fixture.older.setItem(old, forKey: .token)
            fixture.older.lock()
            try await fixture.store().removeItem(forKey: .token)
            fixture.older.unlock()
            // The old app refreshes the token that was signed out of.
            try await fixture.older.setItem(other, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.found == [nil, nil, nil])
            #expect(try await fixture.names == [])
        }
    }

    @Test func `a process empties the older places once`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.target.setItem(new, forKey: .token)
            let store = try fixture.store()
            _ = try await store.itemAfterSearch()
            let calls = (fixture.target.callCount, fixture.older.callCount)
            _ = try await store.itemAfterSearch()
            #expect(fixture.target.callCount == calls.0 + 1)
            #expect(fixture.older.callCount == calls.1)
        }
    }
}

/// Does work that a kill switch may end.
func killed(_ work: () async throws -> Void) async throws {
    do { try await work() } catch is KillSwitch.Killed {}
}
#endif
