// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import SecureStore
import Testing
import TestSupport

@Suite struct SessionLockTests {
    private let scope: StoreScope

    init() throws {
        scope = try StoreScope(service: "com.example.tests")
    }

    @Test func `eight processes and eight tasks that count under the lock lose no increment`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("number")
        try Data("0".utf8).write(to: file)
        let locks = folder.url.appendingPathComponent("locks").path
        let workers = try (0..<8).map { _ in
            try StoreWorkerProcess.start(["count-under-lock", locks, "com.example.tests", file.path, "25"])
        }
        let lock = SessionLock(for: scope, in: locks)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        try await lock.withLock(timeout: .seconds(300)) {
                            let number = try #require(Int(String(decoding: try Data(contentsOf: file), as: UTF8.self)))
                            try Data("\(number + 1)".utf8).write(to: file)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for worker in workers { #expect(await worker.waitUntilExit(timeout: .seconds(120)) == 0) }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == "400")
    }

    @Test func `the lock is free after its holder is killed`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let worker = try StoreWorkerProcess.start(["hold-lock", folder.url.path, "com.example.tests"])
        _ = try await worker.read(until: "ready")
        let lock = SessionLock(for: scope, in: folder.url.path)
        await #expect(throws: SecureStoreError(.busy)) { try await lock.withLock(timeout: .milliseconds(50)) {} }
        await worker.end()
        try await lock.withLock(timeout: .seconds(60)) {}
    }

    @Test func `a wait for a stopped holder times out`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let worker = try StoreWorkerProcess.start(["hold-lock", folder.url.path, "com.example.tests"])
        _ = try await worker.read(until: "ready")
        worker.send(SIGSTOP)
        let lock = SessionLock(for: scope, in: folder.url.path)
        let error = await #expect(throws: SecureStoreError.self) {
            try await lock.withLock(timeout: .milliseconds(50)) {}
        }
        #expect(error?.code == .busy)
        #expect(error?.description == "Another process is using the store.")
        await worker.end()
    }

    @Test func `the lock excludes a holder in another container that shares the folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // These namespaces (processes, mounts, host name, IPC, network) make a container, apart from its image.
        let launcher = ["unshare", "--fork", "--pid", "--kill-child", "--mount", "--uts", "--ipc", "--net"]
        let worker = try StoreWorkerProcess.start(
            ["hold-lock", folder.url.path, "com.example.tests"],
            launcher: launcher
        )
        guard (try? await worker.read(until: "ready")) != nil else {
            try Test.cancel("this machine lets nobody make namespaces")
        }
        let lock = SessionLock(for: scope, in: folder.url.path)
        await #expect(throws: SecureStoreError(.busy)) { try await lock.withLock(timeout: .milliseconds(50)) {} }
        await worker.end()
        try await lock.withLock(timeout: .seconds(60)) {}
    }

    @Test func `scopes that differ in service or account have different locks`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let others = [
            try StoreScope(service: scope.service, account: "work"),
            try StoreScope(service: "com.example.other"),
            // Service and account joined without a separator would not distinguish such scopes.
            try StoreScope(service: "com.example.testsdefault", account: "x"),
        ]
        try await SessionLock(for: scope, in: folder.url.path).withLock {
            for other in others {
                try await SessionLock(for: other, in: folder.url.path).withLock(timeout: .zero) {}
            }
        }
    }

    @Test func `a cancelled task stops waiting for the lock`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: scope, in: folder.url.path)
        try await lock.withLock {
            let waiting = Task { try await lock.withLock(timeout: .seconds(600)) {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test func `the lock is released if the work throws an error`() async throws {
        struct Fault: Error {}
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: scope, in: folder.url.path)
        await #expect(throws: Fault.self) { try await lock.withLock { throw Fault() } }
        try await lock.withLock(timeout: .seconds(60)) {}
    }

    @Test func `the lock still excludes other holders after its file was removed`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: scope, in: folder.url.path)
        try await lock.withLock {
            for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: file)
            }
        }
        // A cleaner removed the file. The next holder creates it again, and later ones wait for that holder.
        try await lock.withLock {
            _ = await #expect(throws: SecureStoreError(.busy)) { try await lock.withLock(timeout: .zero) {} }
        }
    }

    @Test func `the lock file is empty, private to the user, and has an anonymous name`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await SessionLock(for: scope, in: folder.url.path).withLock {}
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let name = try #require(files.first)
        #expect(files.count == 1)
        #expect(!name.contains("example") && name.hasSuffix(".lock"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path + "/" + name)
        #expect(attributes[.size] as? Int == 0)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a folder that others can write to is refused`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
        let lock = SessionLock(for: scope, in: folder.url.path)
        await #expect(throws: SecureStoreError(.denied)) { try await lock.withLock {} }
    }

    @Test func `a symbolic link instead of the lock file is refused`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: scope, in: folder.url.path)
        try await lock.withLock {}
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).first)
        let (file, other) = (folder.url.appendingPathComponent(name), folder.url.appendingPathComponent("other"))
        try FileManager.default.moveItem(at: file, to: other)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        await #expect(throws: SecureStoreError(.denied)) { try await lock.withLock {} }
    }
}
#endif
