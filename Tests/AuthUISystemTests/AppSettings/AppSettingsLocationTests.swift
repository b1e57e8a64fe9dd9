// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthSession
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
    @Test func `the settings are in the app's folder below XDG_CONFIG_HOME`() async throws {
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
    func `the settings are in the home folder if XDG_CONFIG_HOME is missing or relative`(variable: String?) async throws
    {
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
    func `the settings are in the user's home folder if HOME is missing or does not exist`(variable: String?)
        async throws
    {
        await #expect(processExitsWith: .success) { [variable = variable as String?] in
            unsafe unsetenv("XDG_CONFIG_HOME")
            unsafe unsetenv("HOME")
            if let variable { unsafe setenv("HOME", variable, 1) }
            let home = unsafe String(cString: getpwuid(geteuid()).pointee.pw_dir)
            let location = try AppSettingsStore(app: "com.example.app").file().path
            #expect(location == "\(home)/.config/com.example.app/settings.json")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user that the system does not know"))
    func `a user without a home folder gets first-launch settings, and a save throws denied`() async {
        await #expect(processExitsWith: .success) {
            #expect(setuid(54_321) == 0)
            unsafe unsetenv("XDG_CONFIG_HOME")
            unsafe unsetenv("HOME")
            let store = try AppSettingsStore(app: "com.example.app")
            #expect(!store.load().isOnboardingCompleted)
            #expect(throws: SecureStoreError(.denied)) { try store.save(AppSettings(isOnboardingCompleted: true)) }
        }
    }

    @Test func `a read-only folder keeps its saved settings, and a save throws denied`() async throws {
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
    func `an app name that leads to another folder is rejected`(app: String) {
        #expect(throws: SecureStoreError(.invalidName)) { try AppSettingsStore(app: app) }
    }
}
#endif
