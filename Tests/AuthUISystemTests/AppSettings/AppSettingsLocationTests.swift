#if canImport(Glibc)
import Foundation
import Glibc
import SecureStore
import Testing
import TestSupport

@testable import AuthUI

/// The location of the settings if the app gives only its name.
///
/// Each test runs in a process of its own, since environment and user belong to the whole process.
@Suite struct AppSettingsLocationTests {
    @Test func `they are in the app's folder, in the one that the desktop names for configuration`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            unsafe setenv("XDG_CONFIG_HOME", path, 1)
            let store = try AppSettingsStore(app: "com.example.app")
            try store.save(AppSettings(isOnboardingCompleted: true))
            #expect(FileManager.default.fileExists(atPath: "\(path)/com.example.app/settings.json"))
            #expect(store.load().isOnboardingCompleted)
            #expect(try !AppSettingsStore(app: "com.example.other").load().isOnboardingCompleted)
        }
    }

    @Test(arguments: [nil, "", "relative"])
    func `without one, or with one that is relative, they are in the home folder`(variable: String?) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        await #expect(processExitsWith: .success) {
            [path = folder.url.path as String, variable = variable as String?] in
            unsafe unsetenv("XDG_CONFIG_HOME")
            if let variable { unsafe setenv("XDG_CONFIG_HOME", variable, 1) }
            unsafe setenv("HOME", path, 1)
            let store = try AppSettingsStore(app: "com.example.app")
            try store.save(AppSettings(isOnboardingCompleted: true))
            #expect(FileManager.default.fileExists(atPath: "\(path)/.config/com.example.app/settings.json"))
            #expect(store.load().isOnboardingCompleted)
        }
    }

    @Test(arguments: [nil, "", "/nonexistent"])
    func `without HOME they are in the home folder that the system has`(variable: String?) async throws {
        await #expect(processExitsWith: .success) { [variable = variable as String?] in
            unsafe unsetenv("XDG_CONFIG_HOME")
            unsafe unsetenv("HOME")
            if let variable { unsafe setenv("HOME", variable, 1) }
            let home = unsafe String(cString: getpwuid(geteuid()).pointee.pw_dir)
            let place = try AppSettingsStore(app: "com.example.app").file().path
            #expect(place == "\(home)/.config/com.example.app/settings.json")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `a user without any home has a first launch each time, and saving says so`() async {
        await #expect(processExitsWith: .success) {
            #expect(setuid(54_321) == 0)
            unsafe unsetenv("XDG_CONFIG_HOME")
            unsafe unsetenv("HOME")
            let store = try AppSettingsStore(app: "com.example.app")
            #expect(!store.load().isOnboardingCompleted)
            #expect(throws: SecureStoreError(.denied)) { try store.save(AppSettings(isOnboardingCompleted: true)) }
        }
    }

    @Test func `in a read-only folder what was saved stays, and saving says that it can't`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Open to all, so that the user that root becomes can reach a folder inside.
        #expect(unsafe chmod(folder.url.path, 0o777) == 0)
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            // Root may write to any folder.
            if geteuid() == 0 { #expect(setuid(54_321) == 0) }
            let store = AppSettingsStore(folder: "\(path)/app")
            try store.save(AppSettings(isOnboardingCompleted: true))
            #expect(unsafe chmod("\(path)/app", 0o500) == 0)
            #expect(throws: SecureStoreError(.denied)) { try store.save(AppSettings()) }
            #expect(store.load().isOnboardingCompleted)
            // A folder that can't be created.
            let inside = AppSettingsStore(folder: "\(path)/app/inside")
            #expect(throws: SecureStoreError(.denied)) { try inside.save(AppSettings()) }
            #expect(!inside.load().isOnboardingCompleted)
            // A folder that can't be read.
            #expect(unsafe chmod("\(path)/app", 0o000) == 0)
            #expect(!store.load().isOnboardingCompleted)
            #expect(unsafe chmod("\(path)/app", 0o700) == 0)
            #expect(store.load().isOnboardingCompleted)
        }
    }

    @Test(arguments: ["", ".", "..", ".hidden", "../other", "a/b", "a b", "ü", String(repeating: "a", count: 129)])
    func `a name that would be another folder is refused`(app: String) {
        #expect(throws: SecureStoreError(.invalidName)) { try AppSettingsStore(app: app) }
    }
}
#endif
