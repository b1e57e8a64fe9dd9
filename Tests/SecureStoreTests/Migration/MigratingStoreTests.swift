// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Testing

@testable import SecureStore

@Suite struct MigratingStoreTests {
    private let old = SecretBytes("old")
    private let other = SecretBytes("another")
    private let new = SecretBytes("new")

    // MARK: Promises

    @Test(arguments: SecureStoreConformance.checks)
    func `a migrating store passes every conformance check`(check: SecureStoreCheck) async throws {
        try await MigrationFixture.with { try await check.run($0.store()) }
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `a migrating store passes every conformance check for the migrated key`(check: SecureStoreCheck) async throws {
        try await MigrationFixture.with { fixture in
            try await check.run(
                MigratingEachKey(target: MemoryStore(), older: MemoryStore(), folder: fixture.locks)
            )
        }
    }

    // MARK: Moving

    @Test func `the first read moves the legacy item and leaves nothing behind`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.oldest.setItem(old, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == old)
            #expect(try await fixture.found == [old, nil, nil])
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `an item reads as absent if no location has it`() async throws {
        try await MigrationFixture.with { (fixture) async throws in
            #expect(try await fixture.store().itemAfterSearch() == nil)
            #expect(try await fixture.names == [])
        }
    }

    @Test func `a migration converts the value and removes its old form`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            let store = try fixture.store { SecretBytes("record of ".utf8 + $0.unredacted) }
            #expect(try await store.itemAfterSearch() == SecretBytes("record of old"))
            #expect(try await fixture.found == [SecretBytes("record of old"), nil, nil])
        }
    }

    @Test func `a value that can't be converted is reported as damaged and stays`() async throws {
        struct Fault: Error {}
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            let store = try fixture.store { _ in throw Fault() }
            await #expect(throws: SecureStoreError(.damaged)) { try await store.itemAfterSearch() }
            #expect(try await fixture.found == [nil, old, nil])
            // The error does not block a new sign-in.
            try await store.setItem(new, forKey: .token)
            #expect(try await store.itemAfterSearch() == new)
        }
    }

    @Test func `a migration takes the first place's value and empties every place`() async throws {
        for second in [old, other] {
            try await MigrationFixture.with { fixture in
                try await fixture.older.setItem(old, forKey: .token)
                try await fixture.oldest.setItem(second, forKey: .token)
                #expect(try await fixture.store().itemAfterSearch() == old)
                #expect(try await fixture.found == [old, nil, nil])
                #expect(try await fixture.names == ["token"])
            }
        }
    }

    @Test func `a sign-in through the store empties the older places at the next read`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            try await fixture.store().setItem(new, forKey: .token)
            #expect(try await fixture.store().itemAfterSearch() == new)
            #expect(try await fixture.found == [new, nil, nil])
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `a read of another key does not access the legacy items`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .other)
            #expect(try await fixture.store().item(forKey: .other) == nil)
            #expect(fixture.older.callCount == 1)
        }
    }

    @Test func `a conditional write compares with the legacy item`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            #expect(try await !fixture.store().replaceItem(forKey: .token, ifEquals: nil, with: new))
            #expect(try await fixture.store().replaceItem(forKey: .token, ifEquals: old, with: new))
            #expect(try await fixture.found == [new, nil, nil])
        }
    }

    // MARK: Errors

    @Test func `an older location that does not respond does not delay the item`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.store().setItem(new, forKey: .token)
            let (responses, respond) = AsyncStream.makeStream(of: Void.self)
            fixture.older.delayCalls { for await _ in responses {} }
            let store = try fixture.store()
            #expect(try await store.item(forKey: .token) == new)
            respond.finish()
            await store.finishCleanUp()
            #expect(fixture.older.callCount > 0)
        }
    }

    @Test func `an item is not reported as absent if a legacy location can't be reached`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.oldest.setItem(old, forKey: .token)
            fixture.older.lock()
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.store().itemAfterSearch() }
            #expect(try await fixture.names == [])
            fixture.older.unlock()
            #expect(try await fixture.store().itemAfterSearch() == old)
        }
    }

    @Test func `a migration succeeds if a location after the one with the value can't be reached`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            fixture.oldest.failAll(with: SecureStoreError(.damaged))
            #expect(try await fixture.store().itemAfterSearch() == old)
            #expect(try await fixture.older.item(forKey: .token) == nil)
        }
    }

    @Test func `a legacy location that can't be reached does not hide the target's item`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.target.setItem(new, forKey: .token)
            fixture.older.lock()
            #expect(try await fixture.store().itemAfterSearch() == new)
        }
    }

    @Test func `a read from a locked target throws locked and does not return a legacy item`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            fixture.target.lock()
            await #expect(throws: SecureStoreError(.locked)) { try await fixture.store().itemAfterSearch() }
            #expect(try await fixture.older.item(forKey: .token) == old)
        }
    }

    @Test func `a migration fails and keeps the legacy item if the copy reads back differently`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            let store = try MigratingStore(
                ForgetfulStore(scope: fixture.target.scope),
                migrating: .token,
                from: [.init(.stored(in: fixture.older))],
                locksIn: fixture.locks
            )
            await #expect(throws: SecureStoreError(.damaged)) { try await store.itemAfterSearch() }
            #expect(try await fixture.older.item(forKey: .token) == old)
        }
    }

    @Test func `tokens that a refresh writes between the copy and its comparison are accepted`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            let store = try MigratingStore(
                StoreWithNewerWrite(wrapped: fixture.target, newer: new),
                migrating: .token,
                from: [.init(.stored(in: fixture.older))],
                locksIn: fixture.locks
            )
            #expect(try await store.itemAfterSearch() == new)
            #expect(try await fixture.found == [new, nil, nil])
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `an app that names the target as a legacy location keeps its session`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.target.setItem(new, forKey: .token)
            for _ in 0..<3 {
                let store = try MigratingStore(
                    fixture.target,
                    migrating: .token,
                    from: [.init(.stored(in: fixture.target))],
                    locksIn: fixture.locks
                )
                #expect(try await store.itemAfterSearch() == new)
            }
            #expect(try await fixture.target.item(forKey: .token) == new)
        }
    }

    // MARK: Concurrency

    @Test func `one of eight concurrent readers migrates the item`() async throws {
        try await MigrationFixture.with { fixture in
            try await fixture.older.setItem(old, forKey: .token)
            try await withThrowingTaskGroup(of: SecretBytes?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await fixture.store().itemAfterSearch() }
                }
                for try await found in group { #expect(found == old) }
            }
            // One write for the item, two for the marks.
            #expect(fixture.target.writeCount == 3)
            #expect(try await fixture.found == [old, nil, nil])
            #expect(try await fixture.names == ["token"])
        }
    }

    @Test func `a read throws busy if another migration takes too long`() async throws {
        try await MigrationFixture.with { fixture in
            let store = try MigratingStore(
                fixture.target,
                migrating: .token,
                from: [],
                locksIn: fixture.locks,
                timeout: .milliseconds(20)
            )
            try await store.lock.withLock(timeout: .zero) {
                _ = await #expect(throws: SecureStoreError(.busy)) { try await store.itemAfterSearch() }
            }
        }
    }
}

/// A store in which another process replaces an item as soon as it is written under the condition that there is none.
private struct StoreWithNewerWrite: WrappingStore {
    let wrapped: any SecureStore
    let newer: SecretBytes

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        let isWritten = try await wrapped.replaceItem(forKey: key, ifEquals: expected, with: item)
        if isWritten, expected == nil { try await wrapped.setItem(newer, forKey: key) }
        return isWritten
    }
}

/// A store that migrates every key that it is asked for, because the keys of the checks are random.
private struct MigratingEachKey: WrappingStore {
    let target: MemoryStore
    let older: MemoryStore
    let folder: String

    var wrapped: any SecureStore { target }

    func call<Value>(
        _ key: StoreKey?,
        isChange: Bool,
        _ work: (any SecureStore) async throws -> Value
    ) async throws -> Value {
        let key = key ?? .token
        let source = MigratingStore.Source(.stored(in: older, forKey: key))
        return try await work(try MigratingStore(target, migrating: key, from: [source], locksIn: folder))
    }
}
#endif
