// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@testable import SecureStore

@Suite struct PendingRemovalsTests {
    private let old = SecretBytes("old")
    private let new = SecretBytes("new")

    @Test(arguments: [SecureStoreError.Code.locked, .noSessionBus, .noProvider, .timedOut, .promptDismissed, .denied])
    func `a removal that can't be made is recorded, and finished once it is possible`(
        code: SecureStoreError.Code
    ) async throws {
        try await RemovalFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            fixture.keyring.failAll(with: SecureStoreError(code))
            try await fixture.store().removeItem(forKey: .token)
            // Another process reads immediately.
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try fixture.store().pending == [.token])
            fixture.keyring.failAll(with: nil)
            #expect(try await fixture.keyring.item(forKey: .token) == old)
            // A third process reads later.
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
            #expect(try fixture.store().pending.isEmpty)
        }
    }

    @Test func `a pending removal keeps the other items`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            try await store.setItem(old, forKey: .other)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: .other) }
            fixture.keyring.unlock()
            #expect(try await store.item(forKey: .token) == nil)
            #expect(try await fixture.keyring.names == ["other"])
            #expect(try await store.item(forKey: .other) == old)
        }
    }

    @Test func `a pending removal does not remove a new sign-in in any process`() async throws {
        try await RemovalFixture.with { fixture in
            let first = fixture.store()
            try await first.setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await first.removeItem(forKey: .token)
            fixture.keyring.unlock()
            try await fixture.store().setItem(new, forKey: .token)
            for store in [first, fixture.store()] {
                #expect(try await store.item(forKey: .token) == new)
                try await store.setItem(old, forKey: .other)
                #expect(try await store.item(forKey: .token) == new)
            }
            #expect(try first.pending.isEmpty)
        }
    }

    @Test func `a write fails if a pending removal of its item can't be finished`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
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

    @Test func `unlocking finishes the removal, and a new item can be written`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.lock(unlocking: true)
            try await store.removeItem(forKey: .token)
            #expect(fixture.keyring.promptCount == 0)
            try await store.unlock(timeout: .seconds(60))
            #expect(fixture.keyring.promptCount == 1)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
            #expect(store.hasFinished)
            try await store.setItem(new, forKey: .token)
            #expect(try await store.item(forKey: .token) == new)
        }
    }

    @Test(arguments: [SecureStoreError.Code.timedOut, .denied])
    func `an item that a program without the note has written since stays`(code: SecureStoreError.Code) async throws {
        try await RemovalFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            fixture.keyring.failWrites(with: SecureStoreError(code))
            try await fixture.store().removeItem(forKey: .token)
            #expect(try await fixture.store().item(forKey: .token) == nil)
            fixture.keyring.failWrites(with: nil)
            // An older program signs in.
            try await fixture.keyring.setItem(new, forKey: .token)
            #expect(try await !fixture.store().replaceItem(forKey: .token, ifEquals: nil, with: old))
            #expect(try await !fixture.store().replaceItem(forKey: .token, ifEquals: old, with: nil))
            #expect(try await fixture.store().item(forKey: .token) == new)
            #expect(try await fixture.keyring.item(forKey: .token) == new)
            #expect(try fixture.store().pending.isEmpty)
        }
    }

    @Test func `a newer item reads at once, and a conditional removal compares with it`() async throws {
        for isRead in [true, false] {
            try await RemovalFixture.with { fixture in
                try await fixture.store().setItem(old, forKey: .token)
                fixture.keyring.failWrites(with: SecureStoreError(.denied))
                try await fixture.store().removeItem(forKey: .token)
                fixture.keyring.failWrites(with: nil)
                try await fixture.keyring.setItem(new, forKey: .token)
                if isRead {
                    #expect(try await fixture.store().item(forKey: .token) == new)
                } else {
                    #expect(try await !fixture.store().replaceItem(forKey: .token, ifEquals: old, with: nil))
                    #expect(try await fixture.store().item(forKey: .token) == new)
                }
            }
        }
    }

    @Test func `an item that was read before its removal failed is removed once it is possible`() async throws {
        try await RemovalFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            fixture.keyring.failWrites(with: SecureStoreError(.timedOut))
            try await fixture.store().removeItem(forKey: .token)
            let hash = Hexadecimal.encode(old.sha256)
            #expect(fixture.text == "sallyport-removals 1\ntoken \(hash)\n")
            // The user signs out again while the keyring does not respond at all.
            fixture.keyring.failAll(with: SecureStoreError(.timedOut))
            try await fixture.store().removeItem(forKey: .token)
            #expect(fixture.text == "sallyport-removals 1\ntoken \(hash)\n")
            fixture.keyring.failAll(with: nil)
            fixture.keyring.failWrites(with: nil)
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
            #expect(fixture.text == nil)
        }
    }

    @Test func `a removal of an item that could not be read removes what is there`() async throws {
        try await RemovalFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await fixture.store().removeItem(forKey: .token)
            fixture.keyring.unlock()
            // Another process refreshed the tokens of the session that the user signed out of.
            try await fixture.keyring.setItem(new, forKey: .token)
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
        }
    }

    @Test func `a conditional write finds no item if its removal is pending`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
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
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.failAll(with: SecureStoreError(code))
            await #expect(throws: SecureStoreError(code)) {
                try await store.replaceItem(forKey: .token, ifEquals: old, with: nil)
            }
            #expect(try store.pending.isEmpty)
            fixture.keyring.failAll(with: nil)
            #expect(try await store.item(forKey: .token) == old)
        }
    }

    @Test func `a conditional removal succeeds if a removal of the item is pending`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.lock()
            try await store.removeItem(forKey: .token)
            #expect(try await store.replaceItem(forKey: .token, ifEquals: new, with: nil))
            fixture.keyring.unlock()
            #expect(try await store.replaceItem(forKey: .token, ifEquals: new, with: nil))
            #expect(try await fixture.keyring.names == [])
        }
    }

    @Test func `a cancelled removal is not recorded`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.delayCalls { try await Task.sleep(for: .seconds(600)) }
            let removal = Task { try await store.removeItem(forKey: .token) }
            removal.cancel()
            await #expect(throws: CancellationError.self) { try await removal.value }
            fixture.keyring.delayCalls(nil)
            #expect(try store.pending.isEmpty)
            #expect(try await store.item(forKey: .token) == old)
        }
    }

    @Test func `a removal throws full if the note has no room to record it`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            // Fills the note to its maximum size.
            func key(_ number: Int) throws -> StoreKey {
                try StoreKey("\(number)-" + String(repeating: "a", count: 120))
            }
            var removals: [StoreKey: RemovalNote.Subject] = [:]
            while RemovalNote.text(removals).utf8.count <= RemovalNote.maximumSize - 300 {
                removals[try key(removals.count)] = .any
            }
            try await fixture.note.write(removals, over: [:])
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
            try await RemovalFixture.with { fixture in
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

    // MARK: Errors

    @Test(arguments: SecureStoreConformance.checks)
    func `a store that records removals passes every conformance check`(check: SecureStoreCheck) async throws {
        try await RemovalFixture.with { try await check.run($0.store()) }
    }

    @Test func `a store that times out during a removal is not called again for a while`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.failAll(with: SecureStoreError(.timedOut))
            try await store.removeItem(forKey: .token)
            let calls = fixture.keyring.callCount
            for _ in 0..<10 { #expect(try await store.item(forKey: .token) == nil) }
            // The other removals of a sign-out are recorded at once too.
            try await store.removeItem(forKey: .other)
            #expect(fixture.keyring.callCount == calls)
            #expect(try store.pending == [.token, .other])
            // Another process has not waited for the store yet, and finds that it responds again.
            fixture.keyring.failAll(with: nil)
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
        }
    }

    @Test(arguments: [
        ("sallyport-removals 2\n", SecureStoreError.Code.newerFormat), ("", .damaged), ("{}", .damaged),
        (String(repeating: "x", count: 200_000), .damaged),
    ])
    func `every call throws an error if the note can't be read, and the note stays unchanged`(
        text: String,
        code: SecureStoreError.Code
    ) async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store()
            try await store.setItem(old, forKey: .token)
            try Data(text.utf8).write(to: URL(fileURLWithPath: fixture.notePath))
            let expected = SecureStoreError(code)
            await #expect(throws: expected) { try await store.item(forKey: .token) }
            await #expect(throws: expected) { try await store.setItem(new, forKey: .token) }
            await #expect(throws: expected) { try await store.removeItem(forKey: .token) }
            await #expect(throws: expected) { try await store.replaceItem(forKey: .token, ifEquals: old, with: nil) }
            #expect(fixture.text == text)
            #expect(try await fixture.keyring.item(forKey: .token) == old)
        }
    }

    @Test func `the note is private to the user, has an anonymous file name, and contains no secret`() async throws {
        try await RemovalFixture.with { fixture in
            try await fixture.store().setItem(SecretBytes("a secret that no note may hold"), forKey: .token)
            fixture.keyring.lock()
            try await fixture.store().removeItem(forKey: .token)
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.notePath)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path)
            #expect(names.count == 2)
            #expect(names.allSatisfy { !$0.contains(fixture.keyring.scope.service) })
            #expect(fixture.folder.files(containing: Data("secret".utf8)) == [])
            #expect(fixture.text == "sallyport-removals 1\ntoken\n")
        }
    }

    @Test func `the note goes with the last pending removal`() async throws {
        try await RemovalFixture.with { fixture in
            fixture.keyring.lock()
            try await fixture.store().removeItem(forKey: .token)
            fixture.keyring.unlock()
            await fixture.store().finish()
            #expect(fixture.text == nil)
        }
    }

    @Test func `a change throws busy if another change takes too long, and a read succeeds`() async throws {
        try await RemovalFixture.with { fixture in
            let store = fixture.store(lockTimeout: .milliseconds(20))
            try await store.setItem(old, forKey: .token)
            try await fixture.note.lock.withLock(timeout: .zero) {
                await #expect(throws: SecureStoreError(.busy)) { try await store.setItem(new, forKey: .token) }
                await #expect(throws: SecureStoreError(.busy)) { try await store.removeItem(forKey: .token) }
                let found = try await store.item(forKey: .token)
                #expect(found == old)
            }
            try await store.setItem(new, forKey: .token)
        }
    }

    @Test func `two stores of one scope, and two scopes, have notes of their own`() async throws {
        try await RemovalFixture.with { fixture in
            fixture.keyring.lock()
            try await fixture.store().removeItem(forKey: .token)
            for other in [FaultyStore(scope: fixture.keyring.scope), FaultyStore()] {
                let name = other.scope == fixture.keyring.scope ? "file" : "keyring"
                let store = PendingRemovals(other, named: name, notesIn: fixture.folder.url.path)
                #expect(try store.pending.isEmpty)
                try await store.setItem(new, forKey: .token)
                #expect(try await store.item(forKey: .token) == new)
            }
            #expect(try fixture.store().pending == [.token])
        }
    }
}
#endif
