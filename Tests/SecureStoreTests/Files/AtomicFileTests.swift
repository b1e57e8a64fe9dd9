// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

@Suite struct AtomicFileTests {
    private let old = Array("old".utf8)
    private let new = Array("new, and longer".utf8)

    private func with(_ body: (AtomicFile, TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body(AtomicFile(folder.url.appendingPathComponent("file").path), folder)
    }

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func `a read returns the written bytes, and no other file remains in the folder`() throws {
        try with { file, folder in
            #expect(try file.read(atMost: 100)?.bytes == nil)
            for bytes in [old, new, []] {
                try file.replace(with: bytes)
                #expect(try file.read(atMost: 100)?.bytes == bytes)
            }
            #expect(try names(in: folder) == ["file"])
        }
    }

    @Test func `removing a missing file succeeds even in a read-only folder`() throws {
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/mounts")).readToEnd() ?? Data()
        let mounts = String(decoding: table, as: UTF8.self).split(separator: "\n")
        let folders = mounts.map { $0.split(separator: " ").map(String.init) }
            .filter { $0[3].split(separator: ",").contains("ro") }.map { $0[1] }
        guard let folder = folders.first(where: { (try? FileManager.default.contentsOfDirectory(atPath: $0)) != nil })
        else { try Test.cancel("this machine has no read-only file system") }
        #expect(try !AtomicFile("\(folder)/no such file").remove())
    }

    @Test func `a file of more than one chunk is read completely`() throws {
        try with { file, _ in
            let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try file.replace(with: bytes)
            #expect(try file.read(atMost: 10_000)?.bytes == bytes)
            #expect(throws: SecureStoreError(.damaged)) { try file.read(atMost: 9_999) }
        }
    }

    @Test func `a file has mode 0600 unless another mode is requested`() throws {
        try with { file, _ in
            try file.replace(with: old)
            #expect(try file.read(atMost: 100)?.mode == 0o600)
            try file.replace(with: old, mode: 0o644)
            #expect(try file.read(atMost: 100)?.mode == 0o644)
        }
    }

    @Test func `a conditional replacement leaves a file with other content unchanged`() throws {
        try with { file, folder in
            try file.replace(with: old)
            #expect(try !file.replace(with: new, ifStill: Array("other".utf8)))
            #expect(try !file.replace(with: new, ifStill: Array("ol".utf8)))
            #expect(try !file.replace(with: new, ifStill: Array("o".utf8)))
            #expect(try !file.replace(with: new, ifStill: []))
            #expect(try file.read(atMost: 100)?.bytes == old)
            #expect(try file.replace(with: new, ifStill: old))
            #expect(try file.read(atMost: 100)?.bytes == new)
            #expect(try names(in: folder) == ["file"])
        }
    }

    @Test func `a symbolic link is not followed`() throws {
        try with { file, folder in
            let other = folder.url.appendingPathComponent("other")
            try Data(old).write(to: other)
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: other.path)
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
        }
    }

    @Test func `reading a pipe throws an error and does not block`() throws {
        try with { file, _ in
            #expect(unsafe mkfifo(file.path, 0o600) == 0)
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
        }
    }

    @Test func `another user's file is not read`() throws {
        try with { file, _ in
            try file.replace(with: old)
            guard geteuid() == 0, unsafe chown(file.path, 65_534, 65_534) == 0 else {
                try Test.cancel("only root can give a file away")
            }
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
        }
    }

    @Test func `a failed replacement leaves the old content and no other file`() throws {
        try with { file, folder in
            try FileManager.default.createDirectory(atPath: file.path + "/full", withIntermediateDirectories: true)
            #expect(throws: SecureStoreError.self) { try file.replace(with: new) }
            #expect(try names(in: folder) == ["file"])
        }
    }

    @Test func `a removed file is absent, and removing it again succeeds`() throws {
        try with { file, folder in
            try file.replace(with: old)
            try file.remove()
            try file.remove()
            #expect(try file.read(atMost: 100)?.bytes == nil)
            #expect(try names(in: folder) == [])
        }
    }
}
#endif
