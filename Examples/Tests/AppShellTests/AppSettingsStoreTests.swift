// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import Glibc
import SharedTestSupport
import Testing

@testable import AppShell

/// The settings in a file, as on Linux.
@Suite struct AppSettingsStoreTests {
    private static let completed = AppSettings(isOnboardingCompleted: true)

    /// Runs a test with a store whose folder doesn't exist yet.
    private func with(_ body: (AppSettingsStore, _ app: URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let app = folder.url.appending(path: "config/com.example.app")
        try body(AppSettingsStore(folder: app), app)
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `unsaved settings have the defaults of a first launch, and a load creates no file`() throws {
        try with { store, app in
            #expect(store.load() == AppSettings())
            #expect(!store.load().isOnboardingCompleted)
            #expect(!FileManager.default.fileExists(atPath: app.deletingLastPathComponent().path))
        }
    }

    @Test func `saved settings are loaded at the next launch, and only their user can read the file`() throws {
        try with { store, app in
            try store.save(Self.completed)
            #expect(AppSettingsStore(folder: app).load() == Self.completed)
            #expect(try mode(app.appending(path: "app-settings.json")) == 0o600)
            #expect(try mode(app) == 0o700)
            #expect(try mode(app.deletingLastPathComponent()) == 0o700)
            #expect(try names(in: app) == ["app-settings.json"])
        }
    }

    @Test func `the last saved settings are loaded`() throws {
        try with { store, _ in
            for settings in [Self.completed, AppSettings(), Self.completed] {
                try store.save(settings)
                #expect(store.load() == settings)
            }
        }
    }

    @Test func `settings are reset if a reinstall removes the folder`() throws {
        try with { store, app in
            try store.save(Self.completed)
            try FileManager.default.removeItem(at: app)
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(store.load() == Self.completed)
        }
    }

    @Test func `settings that another user can have written, or that are no file, do not count`() throws {
        try with { store, app in
            try store.save(Self.completed)
            let file = app.appending(path: "app-settings.json")
            #expect(unsafe chmod(file.path, 0o620) == 0)
            #expect(store.load() == AppSettings())
            try FileManager.default.removeItem(at: file)
            #expect(unsafe mkfifo(file.path, 0o600) == 0)
            #expect(store.load() == AppSettings())
        }
    }

    @Test func `a save makes a file private that others could read`() throws {
        try with { store, app in
            try store.save(Self.completed)
            let file = app.appending(path: "app-settings.json")
            #expect(unsafe chmod(file.path, 0o644) == 0)
            #expect(store.load() == Self.completed)
            try store.save(AppSettings())
            #expect(try mode(file) == 0o600)
        }
    }

    @Test(arguments: ["", "{", "[]", "null", "{}", #"{"isOnboardingCompleted":"true"}"#])
    func `damaged settings load as a first launch and are overwritten`(text: String) throws {
        try with { store, app in
            try store.save(Self.completed)
            try Data(text.utf8).write(to: app.appending(path: "app-settings.json"))
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(store.load() == Self.completed)
        }
    }

    @Test func `a save leaves an older version's settings as they are`() throws {
        try with { store, app in
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let older = app.appending(path: "settings.json")
            try Data(#"{"authToken": "t", "theme": "dark"}"#.utf8).write(to: older)
            #expect(store.load() == AppSettings())
            try store.save(Self.completed)
            #expect(store.load() == Self.completed)
            #expect(try String(contentsOf: older, encoding: .utf8) == #"{"authToken": "t", "theme": "dark"}"#)
        }
    }

    @Test func `the settings are in the app's folder below XDG_CONFIG_HOME`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            let store = AppSettingsStore(app: "com.example.app")
            try store.save(AppSettings(isOnboardingCompleted: true))
            #expect(FileManager.default.fileExists(atPath: "\(path)/com.example.app/app-settings.json"))
            #expect(store.load().isOnboardingCompleted)
            #expect(!AppSettingsStore(app: "com.example.other").load().isOnboardingCompleted)
        }
    }

    @Test(arguments: [nil, "", "relative"])
    func `the settings are in the home folder if XDG_CONFIG_HOME is missing or relative`(variable: String?) async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) {
            [path = folder.url.path as String, variable = variable as String?] in
            unsafe unsetenv("XDG_CONFIG_HOME")
            if let variable { unsafe setenv("XDG_CONFIG_HOME", variable, 1) }
            unsafe setenv("HOME", path, 1)
            let store = AppSettingsStore(app: "com.example.app")
            try store.save(AppSettings(isOnboardingCompleted: true))
            #expect(FileManager.default.fileExists(atPath: "\(path)/.config/com.example.app/app-settings.json"))
            #expect(store.load().isOnboardingCompleted)
        }
    }

    @Test func `a folder that can't be written keeps its saved settings, and a save throws`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Open to all, so that the user that root becomes can reach a folder inside.
        #expect(unsafe chmod(folder.url.path, 0o777) == 0)
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            // Root may write to any folder.
            if geteuid() == 0 { #expect(setuid(54_321) == 0) }
            let store = AppSettingsStore(folder: URL(filePath: "\(path)/app"))
            try store.save(AppSettings(isOnboardingCompleted: true))
            #expect(unsafe chmod("\(path)/app", 0o500) == 0)
            #expect(throws: (any Error).self) { try store.save(AppSettings()) }
            #expect(store.load().isOnboardingCompleted)
            #expect(unsafe chmod("\(path)/app", 0o700) == 0)
        }
    }
}
#endif
