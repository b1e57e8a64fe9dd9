// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

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
/// must never affect the other. A scope with a ``SharedFolder`` has all of them there.
///
/// A Flatpak that can't write to the user's home has its locks with its data. In a Snap, locks that can't be in the
/// user's home, data and notes are in the folder of all its revisions.
///
/// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/#variables).
package enum UserFolder {
    /// A kind of the user's files: the variable of its folder.
    package enum Kind: String {
        /// Lasting data.
        case data = "XDG_DATA_HOME"
        /// Settings.
        case configuration = "XDG_CONFIG_HOME"
        /// Notes about what has happened.
        case state = "XDG_STATE_HOME"

        /// The folder in the user's home folder.
        fileprivate var inHome: String {
            #if canImport(Darwin)
            // An app can't create a folder at the top of its container, but it can write to this one.
            "Library/Application Support"
            #else
            switch self {
            case .data: ".local/share"
            case .configuration: ".config"
            case .state: ".local/state"
            }
            #endif
        }
    }

    /// Returns the folder for a kind of files, which may not exist yet.
    ///
    /// It is the one that the variable names, unless that is a relative path. Otherwise it is in the home folder that
    /// `HOME` names, or else in the one in the system's user database. A Snap's data and notes are in
    /// `SNAP_USER_COMMON`.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    package static func path(
        _ kind: Kind,
        isInFlatpak: Bool = isInFlatpak
    ) throws(SecureStoreError) -> String {
        if kind != .configuration, let home = homeOfSnap() { return "\(home)/\(kind.inHome)" }
        func named(_ kind: Kind) -> String? { value(of: kind.rawValue).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let named = named(kind) { return named }
        // An older Flatpak does not set the variable of this folder, and may have an empty home at each start.
        if kind == .state, isInFlatpak, let data = named(.data), let end = data.lastIndex(of: "/") {
            return "\(data[..<end])/\(kind.inHome)"
        }
        guard let home = homeOfEnvironment() ?? homeOfUser() else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(home)/\(kind.inHome)"
    }

    /// Returns the folder for locks, which ``SessionLock`` describes, or one for tests; creates it if necessary.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if every folder is refused, or the shared one is missing or unsafe to
    ///   use; `full` or `failed` as soon as one folder fails with it).
    static func locks(
        of scope: StoreScope? = nil,
        in folder: String? = nil,
        isInFlatpak: Bool = isInFlatpak
    ) throws(SecureStoreError) -> PrivateFolder {
        if let folder { return try PrivateFolder(folder) }
        if let shared = scope?.sharedFolder { return try PrivateFolder(root(of: shared) + "/locks") }
        var homes = [homeOfUser(), homeOfSnap() ?? homeOfEnvironment()].compactMap(\.self)
        let dataOfFlatpak = isInFlatpak ? try path(.data) : nil
        if let dataOfFlatpak {
            // Without access to the user's home, the folder is an empty one at each start, on another file system
            // than the data.
            homes.removeAll { home in
                unsafe access(home, W_OK) != 0 || folderStatus(home)?.st_dev != folderStatus(dataOfFlatpak)?.st_dev
            }
        }
        var refusal: SecureStoreError?
        let others = [ownFolder("STATE_DIRECTORY"), dataOfFlatpak].compactMap(\.self)
        for folder in homes.map({ "\($0)/\(Kind.state.inHome)" }) + others {
            do throws(SecureStoreError) {
                return try PrivateFolder("\(folder)/sallyport/locks")
            } catch {
                // After `denied`, no program of this user can use the folder. Another error may affect this process
                // alone, and a lock in another folder would be a different lock.
                guard error.code == .denied else { throw error }
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? SecureStoreError(.denied, detail: "no home folder for locks; set HOME, or name a shared folder")
    }

    /// Returns the folder for notes about stores, or one for tests; creates it if necessary.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    static func notes(
        of scope: StoreScope? = nil,
        in folder: String? = nil
    ) throws(SecureStoreError) -> PrivateFolder {
        if let folder { return try PrivateFolder(folder) }
        if let shared = scope?.sharedFolder { return try PrivateFolder(root(of: shared) + "/stores") }
        return try PrivateFolder(path(.state) + "/sallyport/stores")
    }

    /// Returns the folder for lasting data, such as an encrypted file; it may not exist yet.
    ///
    /// There is one only: data would seem to be lost if another were searched.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder, or the shared folder is missing or
    ///   unsafe to use).
    static func data(of scope: StoreScope? = nil) throws(SecureStoreError) -> String {
        if let shared = scope?.sharedFolder { return try root(of: shared) }
        return try path(.data) + "/sallyport"
    }

    // MARK: Folders that exist

    /// Whether this process runs in a Flatpak.
    package static var isInFlatpak: Bool {
        var status = stat()
        return unsafe stat("/.flatpak-info", &status) == 0
    }

    /// Returns whether this process runs in the sandbox of a Snap.
    ///
    /// Its variables alone don't say so: a shell that a classic Snap opened, such as an editor's, has them too. A
    /// classic Snap is no sandbox.
    ///
    /// - Parameter executable: The path of the process's program, or another one for tests.
    static func isInSnap(executable: String = "/proc/self/exe") -> Bool {
        guard
            value(of: "SNAP_NAME")?.isEmpty == false,
            let snap = value(of: "SNAP").flatMap(resolved),
            resolved(executable)?.hasPrefix("\(snap)/") == true
        else { return false }
        var description = [UInt8](repeating: 0, count: 65_536)
        let count = (try? Descriptor("\(snap)/meta/snap.yaml", O_RDONLY)?.fill(&description)) ?? 0
        let lines = String(decoding: description.prefix(count), as: UTF8.self).split(separator: "\n")
        return !lines.contains { $0.hasPrefix("confinement:") && $0.hasSuffix("classic") }
    }

    /// Returns the absolute path without links, or nil if nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns the folder of all revisions of a Snap, or nil outside one.
    ///
    /// Its `HOME` and XDG variables lead to a copy for each revision. A revert would bring back an old refresh token.
    private static func homeOfSnap() -> String? {
        isInSnap() ? value(of: "SNAP_USER_COMMON").flatMap(checked) : nil
    }

    /// Returns the home folder in the system's user database, or nil if it is missing or unsafe to use.
    private static func homeOfUser() -> String? {
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

    private static func homeOfEnvironment() -> String? { value(of: "HOME").flatMap(checked) }

    /// Returns the home folder if it exists: a missing one, such as `/nonexistent`, must not be created.
    private static func checked(_ home: String) -> String? {
        guard home.hasPrefix("/"), home != "/", let status = folderStatus(home) else { return nil }
        // With sudo, `HOME` may be another user's: folders that root creates in it would be unusable for that user.
        return geteuid() != 0 || status.st_uid == 0 ? home : nil
    }

    /// Returns the folder that a variable names, or nil unless it is this user's and no other user can write to it.
    ///
    /// The first of several that are separated by colons, as in `STATE_DIRECTORY`.
    package static func ownFolder(_ variable: String) -> String? {
        guard let folder = value(of: variable)?.split(separator: ":").first, folder.hasPrefix("/") else { return nil }
        return isOwn(String(folder)) ? String(folder) : nil
    }

    private static func root(of shared: SharedFolder) throws(SecureStoreError) -> String {
        guard isOwn(shared.path) else { throw SecureStoreError(.denied, detail: "the shared folder") }
        return "\(shared.path)/sallyport"
    }

    /// Returns whether a folder exists, belongs to this user, and no other user can write to it.
    private static func isOwn(_ folder: String) -> Bool {
        folderStatus(folder).map { $0.st_uid == geteuid() && $0.st_mode & 0o022 == 0 } ?? false
    }

    private static func folderStatus(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? status : nil
    }

    static func value(of variable: String) -> String? {
        unsafe getenv(variable).map { unsafe String(cString: $0) }
    }
}

/// The file names of a scope's locks, notes and files.
enum ScopeFileName {
    /// Returns a file name that does not show the scope in a folder listing, and is the same in every program.
    ///
    /// - Parameters:
    ///   - purpose: Locks of one scope with different purposes are independent.
    ///   - bus: The session bus that the file belongs to, if any.
    static func of(
        _ purpose: StaticString,
        _ scope: StoreScope,
        onBus bus: String? = nil,
        ending: StaticString = "lock"
    ) -> String {
        // The parts can't contain a NUL, so two different lists never give the same text.
        let text = "\(purpose)\0\(scope.service)\0\(scope.account)\(bus.map { "\0\($0)" } ?? "")"
        return "\(Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8)))).prefix(40)).\(ending)"
    }
}
