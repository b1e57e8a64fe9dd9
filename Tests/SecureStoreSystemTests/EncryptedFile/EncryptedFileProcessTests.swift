// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// Processes that write at the same time, are killed, or find no space.
@Suite struct EncryptedFileProcessTests {
    @Test func `two processes that write different items lose no item`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let workers = try ["one", "two"].map { prefix in
                try StoreWorkerProcess.start(
                    ["write-items", fixture.path, EncryptedFileFixture.service, prefix, "100"]
                )
            }
            for worker in workers { #expect(await worker.waitUntilExit(timeout: .seconds(120)) == 0) }
            let store = try fixture.store()
            let expected = try ["one", "two"].flatMap { prefix in
                try (1...100).map { (try StoreKey("\(prefix)-\($0)"), SecretBytes("\($0)".utf8)) }
            }
            #expect(try await store.names() == Set(expected.map(\.0)))
            for (key, item) in expected { #expect(try await store.item(forKey: key) == item) }
        }
    }

    @Test func `a writer killed at any of 500 random moments leaves the old or the new item`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await killWriters(times: 125) } }
            try await group.waitForAll()
        }
    }

    @Test func `a write to a full disk throws full, and the old item stays`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let folder = fixture.path
            // A disk of 64 KiB, in its own mount namespace.
            let mount = "mount -t tmpfs -o size=64k,mode=700 none \"$FOLDER\" || exit 77; exec \"$0\" \"$@\""
            let worker = try StoreWorkerProcess.start(
                ["fill-file", folder, EncryptedFileFixture.service],
                environment: ProcessInfo.processInfo.environment.merging(["FOLDER": folder]) { $1 },
                launcher: ["unshare", "--mount", "sh", "-c", mount]
            )
            let code = await worker.waitUntilExit(timeout: .seconds(60))
            // Code 1 means that unshare may not create a namespace. The worker's own errors end it with a signal.
            if code == 1 || code == 77 { try Test.cancel("this machine lets nobody mount") }
            #expect(code == 0)
        }
    }

    @Test func `a write beyond the process's file size limit throws full, and the old item stays`() async throws {
        try await EncryptedFileFixture.with { fixture in
            await #expect(processExitsWith: .success) { [folder = fixture.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
                #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let store = EncryptedFileStore(
                    scope: try StoreScope(service: "com.example.tests"),
                    folder: folder,
                    secret: .passphrase({ try Passphrase("a passphrase for tests") }, keepsDerivedKey: false),
                    deadline: .seconds(60),
                    cost: ScryptCost(4)
                )
                let (key, old) = (try StoreKey("session"), SecretBytes("old".utf8))
                try await store.setItem(old, forKey: key)
                let large = SecretBytes(Array(repeating: 7, count: 100_000))
                await #expect(throws: SecureStoreError(.full)) { try await store.setItem(large, forKey: key) }
                #expect(try await store.item(forKey: key) == old)
            }
            let names = try fixture.names()
            #expect(names.count == 2)
        }
    }

    /// Kills one writer after another on one file, each after some writes and at a random point of the next.
    private func killWriters(times: Int) async throws {
        try await EncryptedFileFixture.with { fixture in
            let key = try StoreKey("number")
            let log = fixture.folder.url.appendingPathComponent("log")
            try Data("0\n".utf8).write(to: log)
            // In microseconds. A slow machine needs longer for the first write.
            var longest = 8_000
            for _ in 0..<times {
                let before = try lastNumber(log)
                let worker = try StoreWorkerProcess.start(
                    ["write-file", fixture.path, EncryptedFileFixture.service, log.path, "\(before)"]
                )
                do {
                    _ = try await worker.read(until: "ready")
                    // The time is random, so that the first write may be finished or not: the moment of the kill must
                    // not matter.
                    try await Task.sleep(for: .microseconds(Int.random(in: 0...longest)))
                } catch {
                    await worker.end()
                    throw error
                }
                await worker.end()
                let written = try lastNumber(log)
                longest = written == 0 ? min(2 * longest, 1_000_000) : 8_000
                let found = try await fixture.store().item(forKey: key).map { try number(of: $0) }
                #expect(found == written || found == written + 1 || (found == nil && written == 0))
                let drafts = try fixture.names().filter { $0.hasSuffix(".draft") }
                #expect(drafts.count <= 1)
                // If the kill came between a write and its line in the log, the next writer continues from the file.
                if let found, found != written { try Data("\(found)\n".utf8).write(to: log) }
            }
            #expect(try lastNumber(log) > 0)
            try await fixture.store().setItem(SecretBytes("after".utf8), forKey: key)
            #expect(try fixture.names().filter { $0.hasSuffix(".draft") }.isEmpty)
        }
    }

    private func lastNumber(_ log: URL) throws -> Int {
        let lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
        return try #require(lines.last.flatMap { Int($0) })
    }

    /// Returns the number that an item repeats.
    private func number(of item: SecretBytes) throws -> Int {
        let words = String(decoding: item.unredacted, as: UTF8.self).split(separator: " ")
        #expect(words.count == 500 && Set(words).count == 1)
        return try #require(words.first.flatMap { Int($0) })
    }
}
#endif
