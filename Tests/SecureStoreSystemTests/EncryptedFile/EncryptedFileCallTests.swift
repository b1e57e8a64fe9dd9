// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import Synchronization
import Testing

@testable import SecureStore

/// Deadlines, cancellation and waiting for locks.
@Suite struct EncryptedFileCallTests {
    private let key: StoreKey
    private let item = SecretBytes("kept".utf8)

    init() throws {
        key = try StoreKey("session")
    }

    @Test func `a write throws busy and writes nothing if it can't get the lock`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let bytes = try fixture.bytes()
            let lock = try lock(of: fixture)
            let store = try fixture.store(deadline: .seconds(6))
            await #expect(throws: SecureStoreError(.busy)) {
                try await store.setItem(SecretBytes("new".utf8), forKey: key)
            }
            withExtendedLifetime(lock) {}
            #expect(try fixture.bytes() == bytes)
        }
    }

    @Test func `a read does not wait for a writer`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let lock = try lock(of: fixture)
            #expect(try await fixture.store(deadline: .seconds(600)).item(forKey: key) == item)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `a cancelled write returns at once and writes nothing, and the next call succeeds`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store(deadline: .seconds(600))
            try await store.setItem(item, forKey: key)
            var lock: FileLock.Held? = try lock(of: fixture)
            let task = Task { try await store.setItem(SecretBytes("new".utf8), forKey: key) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            withExtendedLifetime(lock) {}
            lock = nil
            #expect(try await store.item(forKey: key) == item)
            try await store.setItem(SecretBytes("next".utf8), forKey: key)
            #expect(try await store.item(forKey: key) == SecretBytes("next".utf8))
        }
    }

    @Test func `work that takes too long times out`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store(deadline: .milliseconds(50))
            let isBlocked = Atomic(false)
            let release = DispatchSemaphore(value: 0)
            // On a busy machine the deadline may pass before the work begins. The work is then skipped.
            repeat {
                await #expect(throws: SecureStoreError(.timedOut)) {
                    try await store.perform { _, _ in
                        isBlocked.store(true, ordering: .sequentiallyConsistent)
                        release.wait()
                    }
                }
            } while !isBlocked.load(ordering: .sequentiallyConsistent)
            // Calls behind the blocked one end at their own deadline, and leave no work to be done later.
            await #expect(throws: SecureStoreError(.timedOut)) { try await store.setItem(item, forKey: key) }
            release.signal()
            #expect(try await fixture.store().item(forKey: key) == nil)
        }
    }

    @Test func `a hundred concurrent calls all succeed`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(item, forKey: key)
            try await withThrowingTaskGroup(of: SecretBytes?.self) { group in
                for _ in 0..<100 { group.addTask { try await store.item(forKey: key) } }
                for try await answer in group { #expect(answer == item) }
            }
        }
    }

    @Test func `an item that is too large is refused before the file is opened`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try fixture.put(Array("damaged".utf8))
            let large = SecretBytes(Array(repeating: 1, count: SecretBytes.maximumItemSize + 1))
            let store = try fixture.store()
            await #expect(throws: SecureStoreError(.itemTooLarge)) { try await store.setItem(large, forKey: key) }
        }
    }

    private func lock(of fixture: EncryptedFileFixture) throws -> FileLock.Held {
        let path = try PrivateFolder(fixture.path).file(ScopeFileName.of("encrypted file", fixture.scope))
        // A program that another test starts holds this process's files open until it runs. The lock may be held that
        // long.
        return try FileLock.blocking(at: path, "encrypted file") { true }
    }
}
#endif
