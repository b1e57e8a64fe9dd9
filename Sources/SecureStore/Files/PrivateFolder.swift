// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder that only this user can read and write, created if it does not exist.
struct PrivateFolder: Sendable, Hashable {
    let path: String

    /// Creates the folder if necessary, and checks that no other user can access it.
    ///
    /// Creates missing parent folders with mode 0700.
    ///
    /// - Parameter path: An absolute path.
    /// - Throws: ``SecureStoreError`` (`denied` if the path is relative, or the folder is another user's or open to
    ///   others; `full`, `failed`).
    init(_ path: String) throws(SecureStoreError) {
        guard path.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        try Self.make(path)
        guard let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY) else {
            throw SecureStoreError(.failed, detail: "a folder that is being removed")
        }
        let status = try folder.status()
        guard status.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a folder of another user") }
        guard status.mode & 0o077 == 0 else { throw SecureStoreError(.denied, detail: "a folder open to others") }
        self.path = path
    }

    /// Returns the path of a file in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    private static func make(_ path: String) throws(SecureStoreError) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let parent = path.split(separator: "/").dropLast()
        guard errno == ENOENT, !parent.isEmpty else { throw SystemError.error(errno, in: "mkdir") }
        try make("/" + parent.joined(separator: "/"))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError.error(errno, in: "mkdir") }
    }
}
