// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file in an app's settings folder.
///
/// The folder and the file belong to this user, and neither of them is a link. A folder that this type creates has mode
/// 0700. A folder that an older version of the app created stays as it is: others may read it and a group may write to
/// it, because on many systems every user has a separate group.
package struct ConfigurationFile: Sendable, Hashable {
    /// The file's path.
    package var path: String { "\(folder)/\(name)" }

    private let folder: String
    private let name: String

    /// Names a file in a folder.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: An absolute path. The folder is created when the file is written.
    package init(_ name: String, in folder: String) {
        self.name = name
        // With a trailing slash, a link would be followed.
        let end = folder.lastIndex { $0 != "/" }
        self.folder = String(end.map { folder[...$0] } ?? "")
    }

    /// Names a file in an app's configuration folder, below `$XDG_CONFIG_HOME` or else `~/.config`.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - app: The app's name.
    /// - Throws: ``SecureStoreError`` (`invalidName`; `denied` if the user has no home folder).
    package init(_ name: String, of app: String) throws(SecureStoreError) {
        self.init(name, in: try UserFolder.configuration(of: app))
    }

    /// Reads the file.
    ///
    /// - Parameter limit: The largest size that the file may have, in bytes.
    /// - Returns: The content; nil if the file does not exist.
    /// - Throws: ``SecureStoreError`` (`denied` if the file or its folder is a link or another user's, or if everyone
    ///   may write to the folder; `damaged` if the file is too large; `busy` if it grows during the read; `failed`).
    package func read(atMost limit: Int) throws(SecureStoreError) -> [UInt8]? {
        guard try hasFolder() else { return nil }
        return try AtomicFile(path).read(atMost: limit)?.bytes
    }

    /// Replaces the content and sets mode 0600; a reader sees the old or the new content.
    ///
    /// - Parameter bytes: The new content.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    package func replace(with bytes: [UInt8]) throws(SecureStoreError) {
        try makeFolder()
        let file = AtomicFile(path)
        try file.replace(with: bytes)
        try file.synchronize()
    }

    /// Replaces the content that was read and sets mode 0600, unless another program has changed the file.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - content: The content that was read; nil if the file did not exist, and must still be missing.
    /// - Returns: Whether the file has the new content.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`; `busy` if another program is writing the file).
    package func replace(
        with bytes: [UInt8],
        ifUnchangedFrom content: [UInt8]?
    ) throws(SecureStoreError) -> Bool {
        try makeFolder()
        let file = AtomicFile(path)
        let isReplaced =
            if let content { try file.replace(with: bytes, ifStill: content) } else { try file.create(with: bytes) }
        if isReplaced { try file.synchronize() }
        return isReplaced
    }

    /// Removes the file; it may be missing.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    package func remove() throws(SecureStoreError) {
        guard try hasFolder() else { return }
        let file = AtomicFile(path)
        if try file.remove() { try file.synchronize() }
    }

    /// Renames a damaged file by appending `.damaged`, and replaces an earlier file of that name.
    ///
    /// Sets mode 0600, because the file may contain a token that an older version of the app left there.
    /// ``LegacyItem/settings(path:member:)`` removes the renamed file when the user signs out.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    package func quarantine() throws(SecureStoreError) {
        guard try hasFolder(), let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return }
        guard fchmod(file.number, 0o600) == 0 else { throw SystemError.error(errno, in: "fchmod") }
        let aside = Self.asidePath(of: path)
        guard unsafe rename(path, aside) == 0 || errno == ENOENT else { throw SystemError.error(errno, in: "rename") }
        try AtomicFile(aside).synchronize()
    }

    /// Returns the path to which a damaged file is renamed.
    static func asidePath(of path: String) -> String { path + ".damaged" }

    /// Creates the folder if it does not exist; throws if it is unsafe to use.
    func makeFolder() throws(SecureStoreError) {
        if try !hasFolder() { _ = try PrivateFolder(folder) }
    }

    /// Returns whether the folder exists; throws if it is unsafe to use.
    private func hasFolder() throws(SecureStoreError) -> Bool {
        guard folder.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        guard let status = try Self.folder(at: folder)?.status() else { return false }
        guard status.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a folder of another user") }
        guard status.mode & 0o002 == 0 else { throw SecureStoreError(.denied, detail: "a folder open to all") }
        return true
    }

    private static func folder(at path: String) throws(SecureStoreError) -> Descriptor? {
        var status = stat()
        // `open` reports a link only as "not a directory".
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            throw SecureStoreError(.denied, detail: "a folder that is a link")
        }
        return try Descriptor(path, O_RDONLY | O_DIRECTORY)
    }
}
