// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import Glibc
import SecureStore
import TestSupport
import Testing

@testable import AppBackendSession

@Suite struct ConfigurationFileTests {
    /// Runs a test with a file whose folder doesn't exist yet.
    private func with(_ body: (ConfigurationFile, _ app: URL, TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let app = folder.url.appending(path: "config/com.example.app")
        try body(ConfigurationFile("file", in: app.path), app, folder)
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `the file and the folders that it creates are private`() throws {
        try with { file, app, _ in
            #expect(try file.read(atMost: 100) == nil)
            try file.replace(with: [1])
            #expect(try file.read(atMost: 100) == [1])
            #expect(try mode(app.appending(path: "file")) == 0o600)
            #expect(try mode(app) == 0o700)
            #expect(try mode(app.deletingLastPathComponent()) == 0o700)
        }
    }

    @Test(arguments: ["", "/", "//"])
    func `a symbolic link in place of the folder is not followed, however the path is spelled`(ending: String) throws {
        try with { _, app, folder in
            let other = try folder.folder("other")
            try Data([1]).write(to: other.appending(path: "file"))
            try FileManager.default.createDirectory(
                at: app.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.createSymbolicLink(atPath: app.path, withDestinationPath: other.path)
            let file = ConfigurationFile("file", in: app.path + ending)
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
            #expect(throws: SecureStoreError(.denied)) { try file.replace(with: [2]) }
            #expect(try Data(contentsOf: other.appending(path: "file")) == Data([1]))
        }
    }

    @Test func `a world-writable folder is rejected`() throws {
        try with { file, app, _ in
            try file.replace(with: [1])
            #expect(unsafe chmod(app.path, 0o777) == 0)
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
            #expect(throws: SecureStoreError(.denied)) { try file.replace(with: [2]) }
        }
    }

    @Test func `a pipe or a folder in place of the file does not block`() throws {
        try with { file, app, _ in
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let path = app.appending(path: "file").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
            #expect(unsafe unlink(path) == 0)
            #expect(unsafe mkdir(path, 0o700) == 0)
            #expect(throws: SecureStoreError(.denied)) { try file.read(atMost: 100) }
        }
    }

    @Test func `a relative folder is rejected`() {
        let file = ConfigurationFile("file", in: "settings")
        #expect(throws: SecureStoreError(.denied)) { try file.replace(with: [1]) }
    }
}
#endif
