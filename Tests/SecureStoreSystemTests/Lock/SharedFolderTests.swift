// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore
@testable import SecureStoreTests

/// The locks and notes of programs with separate home folders that share a folder.
@Suite(.timeLimit(.minutes(5)))
struct SharedFolderTests {
    private let key: StoreKey

    init() throws {
        key = try StoreKey("session")
    }

    private func scope(_ folder: TemporaryFolder) throws -> StoreScope {
        try StoreScope(service: "com.example.tests", sharedFolder: SharedFolder(folder.url.path))
    }

    /// Starts a program whose home folders are others than this process's.
    private func start(_ task: String, sharing folder: TemporaryFolder, home: TemporaryFolder) throws -> RunningProcess
    {
        var environment = ProcessInfo.processInfo.environment
        for variable in ["HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] { environment[variable] = home.url.path }
        let arguments = [task, folder.url.path, "com.example.tests"]
        return try StoreWorkerProcess.start(arguments, environment: environment)
    }

    @Test func `programs with separate home folders take turns, and nothing is in the user's own folders`()
        async throws
    {
        let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
        defer {
            folder.remove()
            home.remove()
        }
        let worker = try start("hold-shared-lock", sharing: folder, home: home)
        _ = try await worker.read(until: "ready")
        let lock = SessionLock(for: try scope(folder))
        await #expect(throws: SecureStoreError(.busy)) { try await lock.withLock(timeout: .milliseconds(50)) {} }
        await worker.end()
        try await lock.withLock(timeout: .seconds(60)) {}
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)
        let locks = folder.url.appendingPathComponent("sallyport/locks").path
        #expect(try FileManager.default.attributesOfItem(atPath: locks)[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: locks).count == 1)
    }

    @Test func `a shared lock is another one than the user's own, and that of another folder`() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        defer {
            folder.remove()
            other.remove()
        }
        let service = StoreScope().service
        let shared = try StoreScope(service: service, sharedFolder: SharedFolder(folder.url.path))
        let others = try StoreScope(service: service, sharedFolder: SharedFolder(other.url.path))
        try await SessionLock(for: shared).withLock {
            try await SessionLock(for: others).withLock(timeout: .zero) {}
            _ = await #expect(throws: SecureStoreError(.busy)) {
                try await SessionLock(for: shared).withLock(timeout: .zero) {}
            }
        }
    }

    @Test func `a program with another home folder reads the note of a shared folder`() async throws {
        let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
        defer {
            folder.remove()
            home.remove()
        }
        let locked = FaultyStore(scope: try scope(folder))
        locked.lock()
        let before = try start("read-shared-note", sharing: folder, home: home)
        #expect(try await before.read(until: "done").contains("nothing"))
        try await PendingRemovals(locked).removeItem(forKey: key)
        let after = try start("read-shared-note", sharing: folder, home: home)
        #expect(try await after.read(until: "done").contains("session"))
    }

    @Test func `a migration takes its lock in the shared folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let older = MemoryStore()
        try await older.setItem(SecretBytes("a token".utf8), forKey: key)
        let target = MemoryStore(scope: try scope(folder))
        let store = try MigratingStore(target, migrating: key, from: [.init(.stored(in: older, forKey: key))])
        #expect(try await store.item(forKey: key) == SecretBytes("a token".utf8))
        let locks = folder.url.appendingPathComponent("sallyport/locks").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: locks).count == 1)
    }

    #if EncryptedFile
    @Test func `an encrypted file without a folder of its own is in the shared folder`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = EncryptedFileStore(scope: try scope(folder)) { try Passphrase("a passphrase for tests") }
        let name = EncryptedFile.name(of: store.scope)
        #expect(try store.path == "\(folder.url.path)/sallyport/\(name)")
    }
    #endif

    @Test func `a shared folder that is missing or open to others is refused`() async throws {
        let folder = try TemporaryFolder()
        let lock = SessionLock(for: try scope(folder))
        unsafe chmod(folder.url.path, 0o777)
        await #expect(throws: SecureStoreError(.denied)) { try await lock.withLock {} }
        unsafe chmod(folder.url.path, 0o755)
        try await lock.withLock {}
        folder.remove()
        await #expect(throws: SecureStoreError(.denied)) { try await lock.withLock {} }
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
        #expect(throws: SecureStoreError(.denied)) { try SharedFolder("relative") }
    }
}
#endif
