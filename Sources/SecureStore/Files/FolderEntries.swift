// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The entries of a folder.
package enum FolderEntries {
    /// Returns the names of the entries, in no order.
    ///
    /// - Parameter folder: The folder's path.
    /// - Returns: The names; none if the folder does not exist.
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    package static func names(in folder: String) throws(SecureStoreError) -> [String] {
        guard let entries = unsafe opendir(folder) else {
            if errno == ENOENT { return [] }
            throw SystemError.error(errno, in: "opendir")
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

    /// Returns whether an entry was written longer ago, by the system's clock.
    ///
    /// - Parameters:
    ///   - path: The entry's path. A link is not followed.
    ///   - age: The time; only its whole seconds count.
    /// - Returns: Whether it was; false if the entry does not exist.
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    package static func isOlder(_ path: String, than age: Duration) throws(SecureStoreError) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw SystemError.error(errno, in: "lstat")
        }
        #if canImport(Darwin)
        let written = status.st_mtimespec.tv_sec
        #else
        let written = status.st_mtim.tv_sec
        #endif
        return time(nil) - written > age.components.seconds
    }
}
