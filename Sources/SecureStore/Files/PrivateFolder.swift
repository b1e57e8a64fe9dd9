// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder that only this user can read and write, created if it does not exist.
package struct PrivateFolder: Sendable, Hashable {
    /// The folder's path.
    package let path: String

    /// Creates the folder and its parents with mode 0700 if necessary, and checks that no other user can access it.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the path is relative, or the folder is a link, another user's or
    ///   open to others; `full`, `failed`).
    package init(_ path: String) throws(SecureStoreError) {
        guard path.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        try Self.make(path)
        guard try Self.exists(path, closedTo: 0o077, "is open to others") else {
            throw SecureStoreError(.failed, detail: "\(path) is being removed")
        }
        self.path = path
    }

    /// Returns whether a folder exists, which others may read but not everyone may write to.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the path is relative, or the folder is a link, another user's or open
    ///   to the writes of all; `failed`).
    package static func isUsable(_ path: String) throws(SecureStoreError) -> Bool {
        guard path.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        return try exists(path, closedTo: 0o002, "is open to all")
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    private static func exists(
        _ path: String,
        closedTo bits: mode_t,
        _ fault: String
    ) throws(SecureStoreError) -> Bool {
        var link = stat()
        // `open` reports a link only as "not a directory".
        if unsafe lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK {
            throw SecureStoreError(.denied, detail: "\(path) is a link")
        }
        guard let status = try Descriptor(path, O_RDONLY | O_DIRECTORY)?.status() else { return false }
        guard status.st_uid == geteuid() else { throw SystemError.foreign(path, status) }
        guard status.st_mode & bits == 0 else { throw SecureStoreError(.denied, detail: "\(path) \(fault)") }
        return true
    }

    private static func make(_ path: String) throws(SecureStoreError) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let parent = path.split(separator: "/").dropLast()
        guard errno == ENOENT, !parent.isEmpty else { throw SystemError.error(errno, in: "mkdir", at: path) }
        try make("/" + parent.joined(separator: "/"))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemError.error(errno, in: "mkdir", at: path)
        }
    }
}

/// The entries of a folder.
///
/// The functions throw ``SecureStoreError`` (`denied`, `failed`).
package enum FolderEntries {
    /// Returns the names of the entries, in no order; none if the folder does not exist.
    package static func names(in folder: String) throws(SecureStoreError) -> [String] {
        guard let entries = unsafe opendir(folder) else {
            if errno == ENOENT { return [] }
            throw SystemError.error(errno, in: "opendir", at: folder)
        }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            // Safe: the name ends with a NUL within the entry, and the entry is valid until the next `readdir`.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    /// Returns whether an entry exists and was written longer ago, in whole seconds by the system's clock.
    package static func isOlder(_ path: String, than age: Duration) throws(SecureStoreError) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw SystemError.error(errno, in: "lstat", at: path)
        }
        #if canImport(Darwin)
        let written = status.st_mtimespec.tv_sec
        #else
        let written = status.st_mtim.tv_sec
        #endif
        return time(nil) - written > age.components.seconds
    }
}
