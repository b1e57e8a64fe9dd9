// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Testing

@testable import SecureStore

@Suite struct PendingRemovalTests {
    private let old = SecretBytes("old")
    private let new = SecretBytes("new")

    @Test(arguments: [SecureStoreError.Code.locked, .noSessionBus, .noProvider, .timedOut, .promptDismissed, .denied])
    func `a removal that can't be made is recorded, and finished once it is possible`(
        code: SecureStoreError.Code
    ) async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            fixture.keyring.failAll(with: SecureStoreError(code))
            try await fixture.store().removeItem(forKey: .token)
            // Another process reads immediately.
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.store().pendingRemovals == [.keyring: .items([.token])])
            fixture.keyring.failAll(with: nil)
            #expect(try await fixture.keyring.item(forKey: .token) == old)
            // A third process reads later.
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
            #expect(try await fixture.store().pendingRemovals.isEmpty)
        }
    }

    @Test func `a read of other items finishes a pending removal and keeps those items`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            try await store.setItem(old, forKey: .other)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .other) }
            fixture.keyring.unlock()
            #expect(try await fixture.keyring.keys() == [.other])
            #expect(try await store.item(forKey: .other) == old)
        }
    }

    @Test func `a pending removal does not remove a new sign-in in any process`() async throws {
        try await PinnedFixture.with { fixture in
            let first = try fixture.store()
            try await first.setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await first.removeItem(forKey: .token)
            fixture.keyring.unlock()
            try await fixture.store().setItem(new, forKey: .token)
            for store in [first, try fixture.store()] {
                #expect(try await store.item(forKey: .token) == new)
                try await store.setItem(old, forKey: .other)
                #expect(try await store.item(forKey: .token) == new)
            }
            #expect(try await first.pendingRemovals.isEmpty)
        }
    }

    @Test func `a write fails if a pending removal of its item can't be finished`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            await #expect(throws: SecureStoreError(.locked)) { try await store.setItem(new, forKey: .token) }
            #expect(try await store.item(forKey: .token) == nil)
            fixture.keyring.unlock()
            #expect(try await store.replaceItem(forKey: .token, ifEquals: nil, with: new))
            #expect(try await store.item(forKey: .token) == new)
        }
    }

    @Test func `a conditional write finds no item if its removal is pending`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            fixture.keyring.unlock()
            #expect(try await !store.replaceItem(forKey: .token, ifEquals: old, with: new))
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
        }
    }

    @Test(arguments: [SecureStoreError.Code.locked, .timedOut])
    func `a conditional removal is never recorded`(code: SecureStoreError.Code) async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.failAll(with: SecureStoreError(code))
            await #expect(throws: SecureStoreError(code)) {
                try await store.replaceItem(forKey: .token, ifEquals: old, with: nil)
            }
            #expect(try await store.pendingRemovals.isEmpty)
            fixture.keyring.failAll(with: nil)
            #expect(try await store.item(forKey: .token) == old)
        }
    }

    @Test func `a conditional removal succeeds if a removal of the item is pending`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            #expect(try await store.replaceItem(forKey: .token, ifEquals: new, with: nil))
            fixture.keyring.unlock()
            #expect(try await store.replaceItem(forKey: .token, ifEquals: new, with: nil))
            #expect(try await fixture.keyring.keys() == [])
        }
    }

    @Test func `a cancelled removal is not recorded`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.delayCalls { try await Task.sleep(for: .seconds(600)) }
            let removal = Task { try await store.removeItem(forKey: .token) }
            removal.cancel()
            await #expect(throws: CancellationError.self) { try await removal.value }
            fixture.keyring.delayCalls(nil)
            #expect(try await store.pendingRemovals.isEmpty)
            #expect(try await store.item(forKey: .token) == old)
        }
    }

    @Test func `a removal throws full if the note has no room to record it`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            // Fills the note to its maximum size.
            var note = try store.file.read()
            var names = Set(try (0..<1_100).map { try StoreKey("\($0)-" + String(repeating: "a", count: 120)) })
            note.removals[.keyring] = .items(names)
            while note.text.utf8.count <= StoreNote.maximumSize - 300 {
                names.insert(try StoreKey("\(names.count)-" + String(repeating: "a", count: 120)))
                note.removals[.keyring] = .items(names)
            }
            try await store.file.write(note)
            fixture.keyring.lock()
            await #expect(throws: SecureStoreError(.full)) {
                for number in 1...3 {
                    try await store.removeItem(forKey: try StoreKey("\(number)-" + String(repeating: "b", count: 120)))
                }
            }
            fixture.keyring.unlock()
            #expect(try await store.item(forKey: .token) == old)
        }
    }

    @Test func `a write over a pending removal, killed at any step, leaves nothing or the new item`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await PinnedFixture.with { fixture in
                try await fixture.store().setItem(old, forKey: .token)
                fixture.keyring.lock()
                try await fixture.store().removeItem(forKey: .token)
                fixture.keyring.unlock()
                do {
                    try await fixture.store(kill: kill).setItem(new, forKey: .token)
                } catch is KillSwitch.Killed {}
                let found = try await fixture.store().item(forKey: .token)
                #expect(found == nil || found == new)
                #expect(try await fixture.keyring.item(forKey: .token) == found)
                // A removal that is still remembered does not remove an item written now.
                try await fixture.store().setItem(new, forKey: .token)
                #expect(try await fixture.store().item(forKey: .token) == new)
                #expect(try await fixture.store().item(forKey: .token) == new)
            }
        }
        #expect(steps == 2)
    }

    @Test func `a first write killed at any step leaves an item that is found or a usable store`() async throws {
        let steps = try await KillSwitch.atEachStep { kill in
            try await PinnedFixture.with { fixture in
                do {
                    try await fixture.store(.keyring, kill: kill).setItem(old, forKey: .token)
                } catch is KillSwitch.Killed {}
                let written = try await fixture.keyring.item(forKey: .token)
                // The item is found even if the next version names another location.
                #expect(try await fixture.store(.file).item(forKey: .token) == written)
                try await fixture.store(.file).setItem(new, forKey: .token)
                #expect(try await fixture.store(.keyring).item(forKey: .token) == new)
            }
        }
        #expect(steps == 1)
    }
}
#endif
