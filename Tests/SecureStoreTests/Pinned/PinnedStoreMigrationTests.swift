// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@Suite struct PinnedStoreMigrationTests {
    private let old = SecretBytes("old")
    private let new = SecretBytes("new")
    private let stale = SecretBytes("stale")

    @Test func `a migration moves every item to the new location`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            try await store.setItem(SecretBytes([]), forKey: .other)
            try await store.migrate(to: .file)
            #expect(try await fixture.store().locationName == .file)
            #expect(try await fixture.store().item(forKey: .token) == old)
            #expect(try await fixture.store().item(forKey: .other) == SecretBytes([]))
            #expect(try await fixture.keyring.keys() == [])
            #expect(try await store.pendingRemovals.isEmpty)
            try await store.migrate(to: .keyring)
            #expect(try await fixture.keyring.keys() == [.token, .other])
            #expect(try await fixture.file.keys() == [])
        }
    }

    @Test func `a migration to the current location pins it and moves nothing`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store(.keyring).migrate(to: .keyring)
            #expect(try await fixture.store(.file).locationName == .keyring)
            try await fixture.store().setItem(old, forKey: .token)
            try await fixture.store().migrate(to: .keyring)
            #expect(try await fixture.store().item(forKey: .token) == old)
        }
    }

    @Test func `a migration replaces the items that were in the new location before`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            try await fixture.file.setItem(stale, forKey: .other)
            try await fixture.file.setItem(stale, forKey: .token)
            try await fixture.store().migrate(to: .file)
            #expect(try await fixture.store().keys() == [.token])
            #expect(try await fixture.store().item(forKey: .token) == old)
        }
    }

    @Test func `a migration does not restore a signed-out session`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            try await fixture.store().removeItem(forKey: .token)
            try await fixture.file.setItem(stale, forKey: .token)
            try await fixture.store().migrate(to: .file)
            #expect(try await fixture.store().item(forKey: .token) == nil)
        }
    }

    @Test func `a migration keeps the new location's items if there is no note and the old location is empty`()
        async throws
    {
        try await PinnedFixture.with { fixture in
            try await fixture.file.setItem(old, forKey: .token)
            try await fixture.store(.keyring).migrate(to: .file)
            #expect(try await fixture.store(.keyring).item(forKey: .token) == old)
        }
    }

    @Test func `a migration does not copy items whose removal is pending`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            try await store.setItem(old, forKey: .other)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            fixture.keyring.unlock()
            try await store.migrate(to: .file)
            #expect(try await fixture.file.keys() == [.other])
            #expect(try await fixture.keyring.keys() == [])
        }
    }

    @Test func `an app can migrate away from an unusable location after a sign-out`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store(.keyring)
            try await store.setItem(old, forKey: .token)
            fixture.keyring.lock()
            await #expect(throws: SecureStoreError(.locked)) { try await store.migrate(to: .file) }
            try await store.removeAll()
            try await store.migrate(to: .file)
            try await store.setItem(new, forKey: .token)
            #expect(try await fixture.store(.keyring).item(forKey: .token) == new)
            // A change at the new location finally removes the old item.
            fixture.keyring.unlock()
            try await store.setItem(new, forKey: .token)
            #expect(try await fixture.keyring.keys() == [])
        }
    }

    @Test func `an old location that locks before it is cleared is cleared later, unless it is used again`()
        async throws
    {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.failWrites(with: SecureStoreError(.locked))
            try await store.migrate(to: .file)
            #expect(try await store.item(forKey: .token) == old)
            #expect(try await store.pendingRemovals == [.keyring: .all])
            await #expect(throws: SecureStoreError(.locked)) { try await store.migrate(to: .keyring) }
            #expect(try await store.locationName == .file)
            fixture.keyring.failWrites(with: nil)
            try await store.migrate(to: .keyring)
            #expect(try await fixture.store().item(forKey: .token) == old)
            try await store.setItem(new, forKey: .token)
            #expect(try await fixture.store().item(forKey: .token) == new)
        }
    }

    @Test func `a migration fails if a copy reads back differently, and the session stays in its location`()
        async throws
    {
        try await PinnedFixture.with { fixture in
            let locations: [StoreLocation] = [
                .init(.keyring, fixture.keyring), .init(.file, ForgetfulStore(scope: fixture.scope)),
            ]
            let store = try PinnedStore(locations: locations, initially: .keyring, notesIn: fixture.notes)
            try await store.setItem(old, forKey: .token)
            await #expect(throws: SecureStoreError(.damaged)) { try await store.migrate(to: .file) }
            #expect(try await store.item(forKey: .token) == old)
            #expect(try await store.locationName == .keyring)
        }
    }

    @Test func `a migration to an unknown location throws an error`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store(only: .keyring)
            await #expect(throws: SecureStoreError(.unknownLocation)) { try await store.migrate(to: .file) }
        }
    }

    @Test func `a store error at any call leaves the session complete and in one location`() async throws {
        for isDestination in [false, true] {
            var number = 1
            var wasReached = true
            while wasReached {
                try await PinnedFixture.with { fixture in
                    try await prepare(fixture)
                    let faulty = isDestination ? fixture.file : fixture.keyring
                    let calls = faulty.callCount
                    faulty.failCall(number, with: SecureStoreError(.failed))
                    // The last call to the old location clears it and may fail. The removal is then remembered.
                    try? await fixture.store().migrate(to: .file)
                    wasReached = faulty.callCount - calls >= number
                    if wasReached { try await expectWhole(fixture) }
                }
                number += 1
            }
            #expect(number > 4)
        }
    }

    @Test func `a migration killed at any step leaves the session complete and can be repeated`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await PinnedFixture.with { fixture in
                try await prepare(fixture)
                do {
                    try await fixture.store(kill: kill).migrate(to: .file)
                } catch is KillSwitch.Killed {}
                try await expectWhole(fixture)
                try await fixture.store().migrate(to: .file)
                try await expectWhole(fixture)
                #expect(try await fixture.file.keys() == [.token, .other])
            }
        }
        // At the old location: names and two items. At the new location: names, clearing, two items written and read,
        // names. At the old location: clearing.
        #expect(steps == 3 + 1 + 1 + 4 + 1 + 1)
    }

    @Test func `a reader never finds the item absent during migrations`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for round in 0..<40 {
                        try await fixture.store().migrate(to: round.isMultiple(of: 2) ? .file : .keyring)
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<100 {
                            let found = try await fixture.store().item(forKey: .token)
                            #expect(found == old)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a read is repeated in the new location if a migration overtakes it`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            for isOfNames in [false, true] {
                let wasOvertaken = Mutex(false)
                // The migration runs after the read has seen the note, before the old location returns.
                fixture.keyring.delayCalls {
                    let isFirst = wasOvertaken.withLock { wasOvertaken in
                        defer { wasOvertaken = true }
                        return !wasOvertaken
                    }
                    if isFirst { try await fixture.store().migrate(to: .file) }
                }
                if isOfNames {
                    #expect(try await fixture.store().keys() == [.token])
                } else {
                    #expect(try await fixture.store().item(forKey: .token) == old)
                }
                #expect(wasOvertaken.withLock { $0 })
                #expect(try await fixture.keyring.keys() == [])
                fixture.keyring.delayCalls(nil)
                try await fixture.store().migrate(to: .keyring)
            }
        }
    }

    @Test func `writes during migrations lose no item`() async throws {
        try await PinnedFixture.with { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for round in 0..<8 {
                    group.addTask {
                        try await fixture.store().migrate(to: round.isMultiple(of: 2) ? .file : .keyring)
                    }
                    group.addTask {
                        try await fixture.store().setItem(old, forKey: try StoreKey("item-\(round)"))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await fixture.store().keys().count == 8)
            #expect(try await fixture.keyring.keys().count + fixture.file.keys().count == 8)
        }
    }

    // MARK: Steps

    private func prepare(_ fixture: PinnedFixture) async throws {
        try await fixture.store().setItem(old, forKey: .token)
        try await fixture.store().setItem(new, forKey: .other)
        try await fixture.file.setItem(stale, forKey: StoreKey("stale"))
    }

    /// Checks that the session is complete, and that it is in only one location after a change.
    private func expectWhole(_ fixture: PinnedFixture) async throws {
        #expect(try await fixture.store().item(forKey: .token) == old)
        #expect(try await fixture.store().item(forKey: .other) == new)
        #expect(try await fixture.store().keys() == [.token, .other])
        try await fixture.store().setItem(old, forKey: .token)
        let (keyring, file) = try await (fixture.keyring.keys(), fixture.file.keys())
        let left = try await fixture.store().locationName == .keyring ? file : keyring
        // An item that was at the new location before a migration that never began is not this store's to remove.
        #expect(left.isSubset(of: [try StoreKey("stale")]))
    }
}
#endif
