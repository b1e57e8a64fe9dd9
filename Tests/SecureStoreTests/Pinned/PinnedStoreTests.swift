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

    @Test(arguments: SecureStoreConformance.checks + SecureStoreConformance.wholeStoreChecks)
    func `a pinned store passes every conformance check`(check: SecureStoreCheck) async throws {
        try await PinnedFixture.with { fixture in
            try await check.run(fixture.store())
            let memory = MemoryStore()
            try await check.run(
                PinnedStore(
                    locations: [.init(.keyring, memory)],
                    initially: .keyring,
                    notesIn: fixture.notes
                )
            )
            try await fixture.store().migrate(to: .file)
            try await check.run(fixture.store())
        }
    }

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

    @Test func `a store forgets its location after a sign-out, unless another session began meanwhile`() async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            try await store.removeItem(forKey: .token)
            // Another process writes before this one forgets the location.
            try await fixture.store().setItem(new, forKey: .token)
            try await store.forgetLocationIfEmpty()
            #expect(try await store.item(forKey: .token) == new)
            #expect(try await fixture.store(.file).locationName == .keyring)
            try await store.removeItem(forKey: .token)
            try await store.forgetLocationIfEmpty()
            #expect(try await fixture.store(.file).locationName == .file)
        }
    }

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
                await #expect(throws: SecureStoreError(code)) { try await store.keys() }
                await #expect(throws: SecureStoreError(code)) { try await store.probe() }
                #expect(await store.diagnose().problem == SecureStoreError(code))
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

    @Test func `the next session begins in the initial location after all items are removed`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store(.keyring).setItem(old, forKey: .token)
            try await fixture.store(.file).removeAll()
            #expect(fixture.note == nil)
            try await fixture.store(.file).setItem(new, forKey: .token)
            #expect(try await fixture.file.item(forKey: .token) == new)
            #expect(try await fixture.keyring.keys().isEmpty)
        }
    }

    @Test func `every call throws unknownLocation if the app no longer offers the session's location`() async throws {
        try await PinnedFixture.with { fixture in
            try await fixture.store(.keyring).setItem(old, forKey: .token)
            let store = try fixture.store(only: .file)
            let unknown = SecureStoreError(.unknownLocation)
            await #expect(throws: unknown) { try await store.item(forKey: .token) }
            await #expect(throws: unknown) { try await store.setItem(new, forKey: .token) }
            await #expect(throws: unknown) { try await store.removeItem(forKey: .token) }
            await #expect(throws: unknown) { try await store.removeAll() }
            await #expect(throws: unknown) { try await store.migrate(to: .file) }
            await #expect(throws: unknown) { _ = try await store.locationName }
            #expect(await store.diagnose().problem == unknown)
            #expect(unknown.isUnavailable)
            #expect(fixture.file.callCount == 0)
        }
    }

    // MARK: The note

    @Test(arguments: [
        ("sallyport-store 2\n", SecureStoreError.Code.newerFormat), ("", .damaged), ("{}", .damaged),
        (String(repeating: "x", count: 200_000), .damaged),
    ])
    func `every call throws an error if the note can't be read, and the note stays unchanged`(
        text: String,
        code: SecureStoreError.Code
    ) async throws {
        try await PinnedFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(old, forKey: .token)
            try Data(text.utf8).write(to: URL(fileURLWithPath: fixture.notePath))
            let expected = SecureStoreError(code)
            await #expect(throws: expected) { try await store.item(forKey: .token) }
            await #expect(throws: expected) { try await store.keys() }
            await #expect(throws: expected) { try await store.setItem(new, forKey: .token) }
            await #expect(throws: expected) { try await store.removeItem(forKey: .token) }
            await #expect(throws: expected) { try await store.removeItem(forKey: .token, ifEquals: old) }
            await #expect(throws: expected) { try await store.removeAll() }
            await #expect(throws: expected) { try await store.migrate(to: .file) }
            #expect(await store.diagnose().problem == expected)
            #expect(fixture.note == text)
            #expect(try await fixture.keyring.item(forKey: .token) == old)
        }
    }

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
