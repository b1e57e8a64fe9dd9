// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthSession
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

@testable import AuthUI

/// The settings in a file, as on Linux.
@Suite struct AppSettingsFileTests {
    private static let completed = AppSettings(isOnboardingCompleted: true)
    private static let text = #"{"sallyport":{"onboardingCompleted":true,"version":1}}"# + "\n"

    /// Runs a test with a store whose folder doesn't exist yet.
    private func with(_ body: (AppSettingsStore, _ app: URL, TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let app = folder.url.appendingPathComponent("config/com.example.app")
        try body(AppSettingsStore(folder: app.path), app, folder)
    }

    /// Runs a test with a store whose file holds a text.
    private func with(_ text: String, _ body: (AppSettingsStore, _ file: URL) throws -> Void) throws {
        try with { store, app, _ in
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let file = app.appendingPathComponent("settings.json")
            try Data(text.utf8).write(to: file)
            try body(store, file)
        }
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func content(_ url: URL) throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: Saving and loading

    @Test func `unsaved settings have the defaults of a first launch, and a load creates no file`() throws {
        try with { store, _, folder in
            #expect(store.load() == AppSettings())
            #expect(!store.load().isOnboardingCompleted)
            let made = try names(in: folder.url)
            #expect(made.isEmpty)
        }
    }

    @Test func `saved settings are loaded at the next launch, and only their user can read the file`() throws {
        try with { store, app, folder in
            try store.save(Self.completed)
            #expect(AppSettingsStore(folder: app.path).load() == Self.completed)
            let file = app.appendingPathComponent("settings.json")
            #expect(try content(file) == Self.text)
            #expect(try mode(file) == 0o600)
            #expect(try mode(app) == 0o700)
            #expect(try mode(folder.url.appendingPathComponent("config")) == 0o700)
            #expect(try names(in: app) == ["settings.json"])
        }
    }

    @Test func `the last saved settings are loaded`() throws {
        try with { store, _, _ in
            for settings in [Self.completed, AppSettings(), Self.completed] {
                try store.save(settings)
                #expect(store.load() == settings)
            }
        }
    }

    @Test func `settings are reset if a reinstall removes the folder`() throws {
        try with { store, app, _ in
            try store.save(Self.completed)
            try FileManager.default.removeItem(at: app)
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(store.load() == Self.completed)
        }
    }

    @Test func `a save makes a file private that others could read`() throws {
        try with(Self.text) { store, file in
            #expect(unsafe chmod(file.path, 0o644) == 0)
            #expect(unsafe chmod(file.deletingLastPathComponent().path, 0o775) == 0)
            #expect(store.load() == Self.completed)
            try store.save(AppSettings())
            #expect(try mode(file) == 0o600)
        }
    }

    // MARK: Other content of the file

    @Test(arguments: [
        (
            #"{"z":{"é":[true,null,9223372036854775807]},"authToken":"t","n":1.50}"#,
            #"{"authToken":"t","n":1.5,"sallyport":{"onboardingCompleted":true,"version":1},"#
                + #""z":{"é":[true,null,9223372036854775807]}}"#
        ),
        (
            " {\n  \"authToken\": \"t\"\n}\n",
            #"{"authToken":"t","sallyport":{"onboardingCompleted":true,"version":1}}"#
        ),
        ("{ }", #"{"sallyport":{"onboardingCompleted":true,"version":1}}"#),
    ])
    func `the values of an older install stay in the file, including its token`(
        before: String,
        after: String
    ) throws {
        try with(before) { store, file in
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(try content(file) == after + "\n")
            #expect(store.load() == Self.completed)
            try store.save(AppSettings())
            #expect(store.load() == AppSettings())
            #expect(try content(file).contains("authToken") == before.contains("authToken"))
        }
    }

    @Test func `a file that appears after the read is not replaced`() throws {
        try with(#"{"a":1}"#) { _, file in
            let folder = file.deletingLastPathComponent()
            let settings = ConfigurationFile(file.lastPathComponent, in: folder.path)
            let isReplaced = try settings.replace(with: Array("{}".utf8), ifUnchangedFrom: nil)
            #expect(!isReplaced)
            #expect(try content(file) == #"{"a":1}"#)
            #expect(try names(in: folder) == ["settings.json"])
        }
    }

    @Test func `a save keeps the file that another program creates at the same time`() async throws {
        for _ in 0..<100 {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let file = ConfigurationFile("settings.json", in: folder.url.path)
            let store = AppSettingsStore(folder: folder.url.path)
            async let isCreated = file.replace(with: Array(#"{"a":1}"#.utf8), ifUnchangedFrom: nil)
            try store.save(Self.completed)
            let hasMember = try await isCreated
            #expect(try content(folder.url.appendingPathComponent("settings.json")).contains(#""a":1"#) == hasMember)
            #expect(store.load() == Self.completed)
        }
    }

    // MARK: Damage

    @Test(arguments: ["", "{", "[]", "null", "{}{}", #"{"a":1,"a":2}"#, "\u{FEFF}{}", #"{"sallyport":{"version":1"#])
    func `a damaged file loads as a first launch, and the next save keeps a copy of it`(text: String) throws {
        try with(text) { store, file in
            #expect(store.load() == AppSettings())
            #expect(try content(file) == text)
            try store.save(Self.completed)
            #expect(store.load() == Self.completed)
            #expect(try content(file) == Self.text)
            #expect(try content(file.appendingPathExtension("damaged")) == text)
        }
    }

    @Test func `the copy of a damaged file is private whatever the mode of the original`() throws {
        try with(#"{"authToken":"a.b.c""#) { store, file in
            for mode in [mode_t(0o644), 0o664, 0o600] {
                try Data(#"{"authToken":"a.b.c""#.utf8).write(to: file)
                #expect(unsafe chmod(file.path, mode) == 0)
                try store.save(Self.completed)
                #expect(try self.mode(file.appendingPathExtension("damaged")) == 0o600)
            }
        }
    }

    @Test func `a sign-out removes the copy of a damaged file and the token in it`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("settings.json")
        let aside = file.appendingPathExtension("damaged")
        try Data(#"{"authToken":"a.b.c""#.utf8).write(to: file)
        let settings = AppSettingsStore(folder: folder.url.path)
        try settings.save(Self.completed)
        #expect(FileManager.default.fileExists(atPath: aside.path))
        let key = try StoreKey("session")
        let store = try MigratingStore(
            MemoryStore(),
            migrating: key,
            from: [.init(try settings.legacyItem("authToken"))],
            locksIn: try folder.folder("locks").path
        )
        try await store.removeItem(forKey: key)
        #expect(!FileManager.default.fileExists(atPath: aside.path))
        #expect(try content(file) == Self.text)
    }

    @Test func `a file that is too large counts as damaged`() throws {
        try with(String(repeating: " ", count: 1024 * 1024) + "{}") { store, file in
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(try content(file) == Self.text)
        }
    }

    @Test(arguments: [
        "1", "null", "{}", #"{"version":0,"onboardingCompleted":true}"#, #"{"onboardingCompleted":true}"#,
        #"{"version":"1","onboardingCompleted":true}"#, #"{"version":1.5,"onboardingCompleted":true}"#,
        #"{"version":1,"onboardingCompleted":"true"}"#, #"{"version":1,"onboardingCompleted":1}"#, #"{"version":1}"#,
    ])
    func `invalid settings in a valid file load as a first launch and are overwritten`(value: String) throws {
        try with(#"{"sallyport":\#(value),"a":1}"#) { store, file in
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(store.load() == Self.completed)
            #expect(try content(file).hasPrefix(#"{"a":1,"#))
            #expect(try names(in: file.deletingLastPathComponent()) == ["settings.json"])
        }
    }

    @Test func `settings of a newer release load as a first launch and are not overwritten`() throws {
        let text = #"{"sallyport":{"version":2,"onboardingCompleted":true}}"#
        try with(text) { store, file in
            #expect(store.load() == AppSettings())
            #expect(throws: SecureStoreError(.newerFormat)) { try store.save(Self.completed) }
            let left = try content(file)
            #expect(left == text)
        }
    }

    // MARK: Links, and files of other users

    @Test func `a symbolic link in place of the file is neither followed nor replaced`() throws {
        try with { store, app, folder in
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let other = folder.url.appendingPathComponent("other.json")
            let link = app.appendingPathComponent("settings.json").path
            for target in [other.path, folder.url.appendingPathComponent("missing").path] {
                try Data(Self.text.utf8).write(to: other)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
                #expect(store.load() == AppSettings())
                #expect(throws: SecureStoreError(.denied)) { try store.save(AppSettings()) }
                #expect(try content(other) == Self.text)
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
                try FileManager.default.removeItem(atPath: link)
            }
            #expect(try names(in: folder.url) == ["config", "other.json"])
        }
    }

    @Test(arguments: ["", "/", "//"])
    func `a symbolic link in place of the folder is not followed, however the path is spelled`(ending: String) throws {
        try with { _, app, folder in
            let other = try folder.folder("other")
            try Data(Self.text.utf8).write(to: other.appendingPathComponent("settings.json"))
            try FileManager.default.createDirectory(
                at: app.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.createSymbolicLink(atPath: app.path, withDestinationPath: other.path)
            let store = AppSettingsStore(folder: app.path + ending)
            #expect(store.load() == AppSettings())
            #expect(throws: SecureStoreError(.denied)) { try store.save(AppSettings()) }
            #expect(try content(other.appendingPathComponent("settings.json")) == Self.text)
        }
    }

    @Test func `a world-writable folder is rejected`() throws {
        try with(Self.text) { store, file in
            #expect(store.load() == Self.completed)
            #expect(unsafe chmod(file.deletingLastPathComponent().path, 0o777) == 0)
            #expect(store.load() == AppSettings())
            #expect(throws: SecureStoreError(.denied)) { try store.save(Self.completed) }
        }
    }

    @Test func `a pipe or a folder in place of the file does not block`() throws {
        try with { store, app, _ in
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let path = app.appendingPathComponent("settings.json").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(store.load() == AppSettings())
            #expect(throws: SecureStoreError(.denied)) { try store.save(Self.completed) }
            #expect(unsafe unlink(path) == 0)
            #expect(unsafe mkdir(path, 0o700) == 0)
            #expect(store.load() == AppSettings())
            #expect(throws: SecureStoreError(.denied)) { try store.save(Self.completed) }
        }
    }

    @Test func `a relative folder is rejected`() {
        let store = AppSettingsStore(folder: "settings")
        #expect(store.load() == AppSettings())
        #expect(throws: SecureStoreError(.denied)) { try store.save(Self.completed) }
    }
}
#endif
