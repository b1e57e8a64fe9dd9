// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folders for this user's own files.
///
/// Locks and data follow different rules. *Locks*: all programs of one user must find the same locks, whatever `HOME`
/// and the XDG variables say; a program that waits without need does no harm. *Data and notes* belong to the folders
/// that `HOME` and the XDG variables name: another `HOME` has another keyring and another file, and a removal from one
/// must never affect the other.
enum UserFolder {
    /// Returns the folder for locks, and creates it if necessary.
    ///
    /// It is `.local/state/sallyport/locks`, on Apple systems `Library/Application Support/sallyport/locks`, in the
    /// home folder that the system's user database names. If that can't be written, as in a container with a made-up
    /// user, it is in the home folder that `HOME` names, or else in a folder of ``locksWithoutHome()``.
    ///
    /// - Returns: The folder, which exists.
    /// - Throws: ``SecureStoreError`` (`denied` if every folder is refused; `full` or `failed` as soon as one folder
    ///   fails with it).
    static func locks() throws(SecureStoreError) -> PrivateFolder {
        for home in [homeOfUser(), homeOfEnvironment()] {
            guard let home else { continue }
            do throws(SecureStoreError) {
                return try PrivateFolder("\(home)/\(stateInHome)/sallyport/locks")
            } catch {
                // After `denied`, no program of this user can use the folder. Another error may affect this process
                // alone, and a lock in another folder would be a different lock.
                guard error.code == .denied else { throw error }
            }
        }
        return try locksWithoutHome()
    }

    /// Returns the folder for lasting data, such as an encrypted file.
    ///
    /// It is `$XDG_DATA_HOME/sallyport`; by default `.local/share/sallyport` in the home folder, on Apple systems
    /// `Library/Application Support/sallyport`.
    ///
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    static func data() throws(SecureStoreError) -> String {
        try folder("XDG_DATA_HOME", orInHome: dataInHome)
    }

    /// Returns the folder for notes about stores, and creates it if necessary.
    ///
    /// It is `$XDG_STATE_HOME/sallyport/stores`; by default below `.local/state` in the home folder, on Apple systems
    /// below `Library/Application Support`.
    ///
    /// - Returns: The folder, which exists.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    static func notes() throws(SecureStoreError) -> PrivateFolder {
        try PrivateFolder(folder("XDG_STATE_HOME", orInHome: stateInHome) + "/stores")
    }

    /// Returns the one folder to use, without a fallback: data would seem to be lost if another folder were searched.
    private static func folder(_ variable: String, orInHome path: String) throws(SecureStoreError) -> String {
        try base(variable, orInHome: path) + "/sallyport"
    }

    /// Returns the folder that a variable names, or else a folder in the home folder.
    ///
    /// The home folder is the one that `HOME` names, or else the one in the system's user database.
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
    ///
    /// - Parameters:
    ///   - variable: The variable's name. A relative path in it is ignored.
    ///   - path: The path in the home folder.
    /// - Returns: The folder's path. The folder may not exist yet.
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    static func base(_ variable: String, orInHome path: String) throws(SecureStoreError) -> String {
        if let named = unsafe getenv(variable).map({ unsafe String(cString: $0) }), named.hasPrefix("/") {
            return named
        }
        guard let home = homeOfEnvironment() ?? homeOfUser() else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(home)/\(path)"
    }

    /// Returns the home folder in the system's user database, or nil if it is missing or unsafe to use.
    static func homeOfUser() -> String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // More than any entry needs; a larger entry is treated as missing.
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
            guard
                let room = buffer.baseAddress,
                unsafe getpwuid_r(geteuid(), &entry, room, buffer.count, &found) == 0,
                unsafe found != nil,
                let home = unsafe entry.pw_dir
            else { return nil }
            return checked(unsafe String(cString: home))
        }
    }

    /// Returns the home folder that `HOME` names, or nil if it is missing or unsafe to use.
    static func homeOfEnvironment() -> String? {
        unsafe getenv("HOME").flatMap { checked(unsafe String(cString: $0)) }
    }

    /// Returns the home folder if it exists: a missing one, such as `/nonexistent`, must not be created.
    private static func checked(_ home: String) -> String? {
        var status = stat()
        guard home.hasPrefix("/"), home != "/", unsafe stat(home, &status) == 0 else { return nil }
        // With sudo, `HOME` may be another user's: folders that root creates in it would be unusable for that user.
        guard geteuid() != 0 || status.st_uid == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR ? home : nil
    }
}

extension UserFolder {
    /// Returns the folder for locks of a user without a writable home folder, and creates it if necessary.
    ///
    /// It is in the first of these folders that belongs to this user and that no other user can write to:
    /// - `$XDG_DATA_HOME`, where the encrypted file is, so that processes that share the file share the locks;
    /// - `$STATE_DIRECTORY`, which systemd sets for a service, but not for other processes of the same user;
    /// - `$XDG_RUNTIME_DIR`.
    ///
    /// Otherwise it is in `/var/tmp/sallyport-<uid>`. This is the last choice because any user may create a folder of
    /// that name first; it is then refused.
    ///
    /// - Returns: The folder, which exists.
    /// - Throws: ``SecureStoreError`` (`denied` if every folder is refused; `full` or `failed` as soon as one folder
    ///   fails with it).
    static func locksWithoutHome() throws(SecureStoreError) -> PrivateFolder {
        for folder in ["XDG_DATA_HOME", "STATE_DIRECTORY", "XDG_RUNTIME_DIR"].compactMap(ownFolder) {
            do throws(SecureStoreError) {
                return try PrivateFolder("\(folder)/sallyport/locks")
            } catch {
                guard error.code == .denied else { throw error }
            }
        }
        // The parent folder is checked too: if another user owned it, that user could put a link in its place.
        return try PrivateFolder(PrivateFolder("/var/tmp/sallyport-\(geteuid())").file("locks"))
    }

    /// Returns the folder that a variable names, or nil unless it is this user's and no other user can write to it.
    ///
    /// Uses the first of several folders separated by colons, as in `STATE_DIRECTORY`.
    static func ownFolder(_ variable: String) -> String? {
        guard
            let value = unsafe getenv(variable).map({ unsafe String(cString: $0) }),
            let folder = value.split(separator: ":").first.map(String.init),
            folder.hasPrefix("/")
        else { return nil }
        return isOwn(folder) ? folder : nil
    }

    /// Returns whether a folder exists, belongs to this user, and no other user can write to it.
    static func isOwn(_ folder: String) -> Bool {
        var status = stat()
        guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    }
}
