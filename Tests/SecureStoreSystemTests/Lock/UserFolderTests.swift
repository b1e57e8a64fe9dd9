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

    /// Two programs with the same keyring must find the same lock.
    @Test func `locks in a Flatpak with the user's home are those outside it`() async {
        await #expect(processExitsWith: .success) {
            let home = unsafe String(cString: getpwuid(geteuid()).pointee.pw_dir)
            // The data folder exists, and is on the home's file system.
            unsafe setenv("XDG_DATA_HOME", home, 1)
            let (inside, outside) = (try UserFolder.locks(isInFlatpak: true), try UserFolder.locks(isInFlatpak: false))
            #expect(inside.path == outside.path)
        }
    }

    /// The home folder there is another one for each start of the app.
    @Test func `locks in a Flatpak without the user's home are with its data`() async {
        await #expect(processExitsWith: .success) {
            let folder = URL(filePath: "/dev/shm/\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            unsafe setenv("XDG_DATA_HOME", folder.path, 1)
            #expect(try UserFolder.locks(isInFlatpak: true).path == "\(folder.path)/sallyport/locks")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `locks in a Flatpak that may only read the user's home are with its data`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        unsafe chmod(folder.url.path, 0o755)
        await #expect(processExitsWith: .success) { [home = folder.url.path as String] in
            for path in ["\(home)/.local", "\(home)/data"] {
                unsafe mkdir(path, 0o700)
                unsafe chown(path, 54_324, 54_324)
            }
            #expect(setuid(54_324) == 0)
            unsafe unsetenv("STATE_DIRECTORY")
            unsafe setenv("HOME", home, 1)
            unsafe setenv("XDG_DATA_HOME", "\(home)/data", 1)
            let outside = try UserFolder.locks(isInFlatpak: false).path
            #expect(outside == "\(home)/.local/state/sallyport/locks")
            let inside = try UserFolder.locks(isInFlatpak: true).path
            #expect(inside == "\(home)/data/sallyport/locks")
        }
    }

    @Test func `notes in a Flatpak that does not name their folder are beside its data`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("XDG_DATA_HOME", "/app/data", 1)
            unsafe unsetenv("XDG_STATE_HOME")
            let unnamed = try UserFolder.path(.state, isInFlatpak: true)
            #expect(unnamed == "/app/.local/state")
            unsafe setenv("XDG_STATE_HOME", "/app/state", 1)
            let named = try UserFolder.path(.state, isInFlatpak: true)
            #expect(named == "/app/state")
        }
    }

    /// A revision has a copy of the home folder, which a revert brings back with an old refresh token.
    @Test func `data and notes of a Snap are those of all its revisions`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let program = try URL(filePath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            unsafe setenv("SNAP", program.deletingLastPathComponent().path, 1)
            unsafe setenv("SNAP_NAME", "jobs", 1)
            unsafe setenv("SNAP_USER_COMMON", folder.url.path, 1)
            for revision in ["1", "2"] {
                let home = folder.url.appending(path: revision).path
                try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
                for variable in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] { unsafe setenv(variable, home, 1) }
                #expect(try UserFolder.data() == "\(folder.url.path)/.local/share/sallyport")
                #expect(try UserFolder.notes().path == "\(folder.url.path)/.local/state/sallyport/stores")
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become a user whom the system does not know"))
    func `locks of a Snap that can't be in the user's home are those of all its revisions`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        unsafe chmod(folder.url.path, 0o777)
        await #expect(processExitsWith: .success) { [common = folder.url.path as String] in
            let program = try URL(filePath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            #expect(setuid(54_325) == 0)
            unsafe setenv("SNAP", program.deletingLastPathComponent().path, 1)
            unsafe setenv("SNAP_NAME", "jobs", 1)
            unsafe setenv("SNAP_USER_COMMON", common, 1)
            unsafe mkdir("\(common)/1", 0o700)
            unsafe setenv("HOME", "\(common)/1", 1)
            let locks = try UserFolder.locks().path
            #expect(locks == "\(common)/.local/state/sallyport/locks")
        }
    }

    @Test func `a program is in a Snap if it belongs to it, and the Snap is not classic`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let program = folder.url.appending(path: "program").path
            try "".write(toFile: program, atomically: false, encoding: .utf8)
            unsafe setenv("SNAP", folder.url.path, 1)
            unsafe setenv("SNAP_NAME", "jobs", 1)
            #expect(UserFolder.isInSnap(executable: program))
            // As in a shell that the Snap has opened.
            #expect(!UserFolder.isInSnap())
            let meta = folder.url.appending(path: "meta")
            try FileManager.default.createDirectory(at: meta, withIntermediateDirectories: false)
            for (confinement, isInSnap) in [("strict", true), ("classic", false)] {
                let description = "name: jobs\nconfinement: \(confinement)\ngrade: stable\n"
                try description.write(to: meta.appending(path: "snap.yaml"), atomically: false, encoding: .utf8)
                #expect(UserFolder.isInSnap(executable: program) == isInSnap)
            }
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
