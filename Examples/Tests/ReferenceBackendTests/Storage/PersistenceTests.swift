// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

@Suite("The database")
struct PersistenceTests {
    private func withFolder(_ test: (URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await test(folder.url)
    }

    @Test func `sessions of both contracts survive a restart`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            let clock = TestClock()
            let tokens = Collected<String>()
            try await TestBackend.run(databasePath: path, clock: clock, configure: { $0.appleStandInPort = 0 }) {
                let pair = try await $0.login()
                let rotated = try await $0.refresh(pair.refresh)
                tokens.append(try await $0.sessionToken())
                tokens.append(pair.refresh)
                tokens.append(rotated.text)
                tokens.append(try $0.pair(rotated).access)
            }
            try await TestBackend.run(databasePath: path, clock: clock) { server in
                let saved = tokens.all
                #expect(try await server.post("/api/auth/validate", bearer: saved[0]).status == 200)
                #expect(try await server.get("/api/me", bearer: saved[3]).status == 200)
                let replayed = try await server.refresh(saved[1])
                #expect(replayed.text == saved[2])
            }
        }
    }

    @Test func `an account of the stand-in survives a change of the port`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            let ids = Collected<String?>()
            for _ in 0..<2 {
                try await TestBackend.run(databasePath: path, configure: { $0.appleStandInPort = 0 }) {
                    ids.append(try await $0.signIn().user("id"))
                }
            }
            #expect(ids.all[0] != nil)
            #expect(ids.all[0] == ids.all[1])
        }
    }

    @Test func `the database contains no issued token and no password`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            let issued = Collected<String>()
            try await TestBackend.run(databasePath: path, configure: { $0.appleStandInPort = 0 }) { server in
                let pair = try await server.login()
                _ = try await server.refresh(pair.refresh)
                let session = try await server.sessionToken()
                _ = try await server.post("/api/auth/refresh", bearer: session)
                for token in server.issued.all { issued.append(token.rawValue) }
            }
            #expect(issued.all.count >= 6)
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect(bytes.range(of: Data("$scrypt$ln=".utf8)) != nil)
            for secret in issued.all + [TestBackend.password] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
                for part in secret.split(separator: ".") where part.count > 40 {
                    #expect(bytes.range(of: Data(part.utf8)) == nil)
                }
            }
        }
    }

    @Test func `a clean stop leaves one file with mode 0600`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            try await TestBackend.run(databasePath: path) { _ = try await $0.login() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["backend.sqlite"])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test(arguments: ["", "-journal", "-wal", "-shm"])
    func `a symbolic link instead of a database file is refused, and its target stays unchanged`(
        suffix: String
    ) async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            let target = folder.appending(path: "elsewhere")
            try Data().write(to: target)
            try FileManager.default.createSymbolicLink(atPath: path + suffix, withDestinationPath: target.path())
            let error = await #expect(throws: BackendStartError.self) {
                try await ReferenceBackend.start(BackendSettings(databasePath: path))
            }
            #expect(error?.code == .databaseUnusable)
            #expect(error?.description.contains("\(path + suffix) is a symbolic link") == true)
            #expect(try Data(contentsOf: target).isEmpty)
        }
    }

    @Test(arguments: ["", "-journal", "-wal", "-shm"])
    func `a file with a second hard link is refused`(suffix: String) async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            let other = folder.appending(path: "elsewhere")
            try Data().write(to: other)
            try FileManager.default.linkItem(atPath: other.path(), toPath: path + suffix)
            let error = await #expect(throws: BackendStartError.self) {
                try await ReferenceBackend.start(BackendSettings(databasePath: path))
            }
            #expect(error?.description.contains("hard link") == true)
        }
    }

    @Test(arguments: [0o777, 0o1777, 0o770])
    func `a folder that others can write to is refused, and no file is created in it`(mode: Int) async throws {
        try await withFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path())
            let path = folder.appending(path: "backend.sqlite").path()
            let error = await #expect(throws: BackendStartError.self) {
                try await ReferenceBackend.start(BackendSettings(databasePath: path))
            }
            #expect(error?.code == .databaseUnusable)
            #expect(error?.description.contains("can be written to by other users") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
        }
    }

    @Test func `a folder can be reached through a symbolic link`() async throws {
        try await withFolder { folder in
            let (real, link) = (folder.appending(path: "real"), folder.appending(path: "link"))
            try FileManager.default.createDirectory(
                at: real,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            try await TestBackend.run(databasePath: link.appending(path: "backend.sqlite").path()) {
                _ = try await $0.login()
            }
        }
    }

    @Test func `a file that others can read gets mode 0600`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "backend.sqlite").path()
            try await TestBackend.run(databasePath: path) { _ = try await $0.login() }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try await TestBackend.run(databasePath: path) { _ = try await $0.login() }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `a file that is not a database is refused and left unchanged`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "notes.txt")
            let notes = Data(String(repeating: "not a database. ", count: 100).utf8)
            try notes.write(to: file)
            await #expect(throws: BackendStartError.self) {
                try await ReferenceBackend.start(BackendSettings(databasePath: file.path()))
            }
            #expect(try Data(contentsOf: file) == notes)
        }
    }
}
