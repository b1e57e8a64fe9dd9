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
    func `the locks of a user unknown to the system are in HOME, and nowhere without a home folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // The folder is open to all, so that the other user can reach a subfolder.
        unsafe chmod(folder.url.path, 0o777)
        await #expect(processExitsWith: .success) { [home = folder.url.path as String] in
            #expect(setuid(54_321) == 0)
            unsafe unsetenv("STATE_DIRECTORY")
            for missing in ["/nonexistent", "/", "relative"] {
                unsafe setenv("HOME", missing, 1)
                #expect(throws: SecureStoreError(.denied)) { try UserFolder.locks() }
            }
            unsafe setenv("HOME", home, 1)
            let inHome = try UserFolder.locks().path
            #expect(inHome == "\(home)/.local/state/sallyport/locks")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `a home folder without room for locks is named with its owner`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        unsafe chmod(folder.url.path, 0o755)
        await #expect(processExitsWith: .success) { [home = folder.url.path as String] in
            #expect(setuid(54_323) == 0)
            unsafe unsetenv("STATE_DIRECTORY")
            unsafe setenv("HOME", home, 1)
            let error = #expect(throws: SecureStoreError(.denied)) { try UserFolder.locks() }
            #expect(error?.detail == "\(home) belongs to root")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `the locks of a service without a home folder are in its state folder`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        unsafe chmod(folder.url.path, 0o777)
        await #expect(processExitsWith: .success) { [base = folder.url.path as String] in
            #expect(setuid(54_322) == 0)
            unsafe setenv("HOME", "/nonexistent", 1)
            unsafe mkdir("\(base)/state", 0o755)
            unsafe setenv("STATE_DIRECTORY", "\(base)/state:\(base)/other", 1)
            let inState = try UserFolder.locks().path
            #expect(inState == "\(base)/state/sallyport/locks")
            // The folder is refused if others may write to it, if another user owns it, or if its path is relative.
            unsafe chmod("\(base)/state", 0o775)
            #expect(throws: SecureStoreError(.denied)) { try UserFolder.locks() }
            for other in ["state", "/usr"] {
                unsafe setenv("STATE_DIRECTORY", other, 1)
                #expect(throws: SecureStoreError(.denied)) { try UserFolder.locks() }
            }
        }
    }
}
#endif
