// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

@Suite struct PinnedStoreTests {
    private let old = SecretBytes("old")
    private let new = SecretBytes("new")

    // MARK: Promises

    @Test func `locations of different scopes are rejected`() {
        #expect(throws: SecureStoreError(.scopeMismatch)) {
            try PinnedStore(
                locations: [.init(.keyring, MemoryStore()), .init(.file, MemoryStore())],
                initially: .keyring
            )
        }
    }

    @Test func `two locations with one name and an unknown initial location are rejected`() {
        let store = MemoryStore()
        #expect(throws: SecureStoreError(.invalidName)) {
            try PinnedStore(locations: [.init(.keyring, store), .init(.keyring, store)], initially: .keyring)
        }
        #expect(throws: SecureStoreError(.unknownLocation)) {
            try PinnedStore(locations: [.init(.keyring, store)], initially: .file)
        }
    }

    // MARK: The choice

    @Test func `a location that times out during a removal is not called again for a while`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            fixture.keyring.failAll(with: SecureStoreError(.timedOut))
            try await store.removeItem(forKey: .token)
            let calls = fixture.keyring.callCount
            for _ in 0..<10 { #expect(try await store.item(forKey: .token) == nil) }
            #expect(fixture.keyring.callCount <= calls + 1)
            // Another process has not waited for the location yet, and finds that it responds again.
            fixture.keyring.failAll(with: nil)
            #expect(try await fixture.store().item(forKey: .token) == nil)
            #expect(try await fixture.keyring.item(forKey: .token) == nil)
        }
    }

    @Test func `a session stays in its location if that fails, and no other location is used`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            for code in [SecureStoreError.Code.locked, .noSessionBus, .noProvider, .timedOut, .failed] {
                fixture.keyring.failAll(with: SecureStoreError(code))
                let store = try fixture.store(.file)
                let calls = fixture.file.callCount
                await #expect(throws: SecureStoreError(code)) { try await store.item(forKey: .token) }
                await #expect(throws: SecureStoreError(code)) { try await store.setItem(new, forKey: .token) }
                await #expect(throws: SecureStoreError(code)) { try await store.probe() }
                #expect(fixture.file.callCount == calls)
            }
            fixture.keyring.failAll(with: nil)
            #expect(try await fixture.store(.file).item(forKey: .token) == old)
            #expect(try await fixture.store(.file).locationName == .keyring)
        }
    }

    @Test func `an app finds its session after it names another initial location`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store(.keyring).setItem(old, forKey: .token)
            let store = try fixture.store(.file)
            #expect(try await store.item(forKey: .token) == old)
            try await store.setItem(new, forKey: .token)
            #expect(try await fixture.keyring.item(forKey: .token) == new)
            #expect(try await fixture.file.keys().isEmpty)
        }
    }

    @Test func `reading and probing do not choose a location`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store(.keyring)
            #expect(try await store.item(forKey: .token) == nil)
            try await store.probe()
            #expect(fixture.note == nil)
            try await fixture.store(.file).setItem(old, forKey: .token)
            #expect(try await store.item(forKey: .token) == old)
        }
    }

    @Test func `a failed first write does not choose a location`() async throws {
        try await PinnedFixture.with { fixture in
            fixture.keyring.lock()
            let store = try fixture.store(.keyring)
            await #expect(throws: SecureStoreError(.locked)) { try await store.setItem(old, forKey: .token) }
            #expect(try await !fixture.store(.file).replaceItem(forKey: .token, ifEquals: old, with: new))
            #expect(fixture.note == nil)
            try await fixture.store(.file).setItem(new, forKey: .token)
            #expect(try await fixture.store(.keyring).item(forKey: .token) == new)
        }
    }

    @Test func `a first write that times out chooses its location, because it may have succeeded`() async throws {
        try await PinnedFixture.with { fixture in
            fixture.keyring.failCall(1, with: SecureStoreError(.timedOut))
            let store = try fixture.store(.keyring)
            await #expect(throws: SecureStoreError(.timedOut)) { try await store.setItem(old, forKey: .token) }
            #expect(try await fixture.store(.file).locationName == .keyring)
        }
    }

    // MARK: The note

    @Test func `the note is private to the user, has an anonymous file name, and contains no secret`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(SecretBytes("a secret that no note may hold"), forKey: .token)
            fixture.keyring.lock()
            try await fixture.store().removeItem(forKey: .token)
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.notePath)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.notes)
            #expect(names.count == 3)
            #expect(names.allSatisfy { !$0.contains(fixture.scope.service.name) })
            #expect(fixture.folder.files(containing: Data("secret".utf8)) == [])
            #expect(fixture.note?.contains("remove keyring token") == true)
        }
    }

    @Test func `a change throws busy if another change takes too long, and a read succeeds`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store(lockTimeout: .milliseconds(20))
            try await store.setItem(old, forKey: .token)
            try await store.file.lock.withLock(timeout: .zero) {
                await #expect(throws: SecureStoreError(.busy)) { try await store.setItem(new, forKey: .token) }
                await #expect(throws: SecureStoreError(.busy)) { try await store.removeItem(forKey: .token) }
                let found = try await store.item(forKey: .token)
                #expect(found == old)
            }
            try await store.setItem(new, forKey: .token)
        }
    }

    @Test func `each scope has its own note`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store().setItem(old, forKey: .token)
            let memory = MemoryStore()
            let other = try PinnedStore(
                locations: [.init(.file, memory)],
                initially: .file,
                notesIn: fixture.notes
            )
            #expect(try await other.locationName == .file)
            #expect(try await other.item(forKey: .token) == nil)
        }
    }
}
#endif
