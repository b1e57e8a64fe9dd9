// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import Glibc
import Testing
import TestSupport

@testable import SecureStore

/// The folders for locks and notes.
///
/// Each test runs in its own process, because the environment belongs to the whole process.
@Suite struct UserFolderTests {
    @Test func `locks are in the home folder of the user database, whatever the environment contains`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            unsafe setenv("HOME", folder.url.path, 1)
            unsafe setenv("XDG_STATE_HOME", folder.url.path, 1)
            unsafe setenv("XDG_RUNTIME_DIR", folder.url.path, 1)
            let home = unsafe String(cString: getpwuid(geteuid()).pointee.pw_dir)
            #expect(try UserFolder.locks().path == "\(home)/.local/state/sallyport/locks")
        }
    }

    @Test func `notes are in the folder that the environment names`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            unsafe setenv("HOME", folder.url.path, 1)
            unsafe unsetenv("XDG_STATE_HOME")
            #expect(try UserFolder.notes().path == "\(folder.url.path)/.local/state/sallyport/stores")
            unsafe setenv("XDG_STATE_HOME", "\(folder.url.path)/state", 1)
            #expect(try UserFolder.notes().path == "\(folder.url.path)/state/sallyport/stores")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `the locks of a user unknown to the system are in HOME, or in /var/tmp without a home folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // The folder is open to all, so that the other user can reach a subfolder.
        unsafe chmod(folder.url.path, 0o777)
        await #expect(processExitsWith: .success) { [home = folder.url.path as String] in
            #expect(setuid(54_321) == 0)
            unsafe setenv("HOME", "/nonexistent", 1)
            let shared = try UserFolder.locks().path
            #expect(shared == "/var/tmp/sallyport-54321/locks")
            unsafe setenv("HOME", home, 1)
            let inHome = try UserFolder.locks().path
            #expect(inHome == "\(home)/.local/state/sallyport/locks")
        }
        unsafe rmdir("/var/tmp/sallyport-54321/locks")
        unsafe rmdir("/var/tmp/sallyport-54321")
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `the locks of a user without a home folder are in a private folder if the environment names one`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        unsafe chmod(folder.url.path, 0o777)
        await #expect(processExitsWith: .success) { [base = folder.url.path as String] in
            Self.becomeUser(54_322, withFoldersIn: base)
            unsafe setenv("STATE_DIRECTORY", "\(base)/state:\(base)/other", 1)
            let inData = try UserFolder.locks().path
            #expect(inData == "\(base)/data/sallyport/locks")
            // A folder is skipped if others may write to it, if another user owns it, or if its path is relative.
            unsafe chmod("\(base)/data", 0o775)
            let inState = try UserFolder.locks().path
            #expect(inState == "\(base)/state/sallyport/locks")
            unsafe setenv("STATE_DIRECTORY", "state", 1)
            let inRuntime = try UserFolder.locks().path
            #expect(inRuntime == "\(base)/runtime/sallyport/locks")
            unsafe setenv("XDG_RUNTIME_DIR", "/usr", 1)
            let shared = try UserFolder.locks().path
            #expect(shared == "/var/tmp/sallyport-54322/locks")
        }
        unsafe rmdir("/var/tmp/sallyport-54322/locks")
        unsafe rmdir("/var/tmp/sallyport-54322")
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `two processes of a user without a home folder share the locks if they share the data folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        unsafe chmod(folder.url.path, 0o777)
        await #expect(processExitsWith: .success) { [base = folder.url.path as String] in
            Self.becomeUser(54_323, withFoldersIn: base)
            let ofService = try UserFolder.locks().path
            unsafe unsetenv("STATE_DIRECTORY")
            unsafe unsetenv("XDG_RUNTIME_DIR")
            let ofOther = try UserFolder.locks().path
            #expect(ofService == ofOther)
        }
    }

    /// Turns this process into one of a user without a home, whose environment names folders for state, runtime and
    /// data.
    private static func becomeUser(_ number: uid_t, withFoldersIn base: String) {
        #expect(setuid(number) == 0)
        unsafe setenv("HOME", "/nonexistent", 1)
        let folders = [("STATE_DIRECTORY", "state"), ("XDG_RUNTIME_DIR", "runtime"), ("XDG_DATA_HOME", "data")]
        for (variable, name) in folders {
            unsafe mkdir("\(base)/\(name)", 0o755)
            unsafe setenv(variable, "\(base)/\(name)", 1)
        }
    }
}
#endif
