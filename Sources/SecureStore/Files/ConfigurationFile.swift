#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file in the folder that an app keeps its settings in.
///
/// The folder and the file are this user's, and reached without a link in their own places. A folder that is made here
/// has mode 0700. One that an older version of the app made is left as it is: it may let others read, and a group write,
/// for on many systems every user has a group of their own.
package struct ConfigurationFile: Sendable, Hashable {
    /// Where it is.
    package var path: String { "\(folder)/\(name)" }

    private let folder: String
    private let name: String

    /// Names a file in a folder.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: An absolute path; the folder is made when the file is written.
    package init(_ name: String, in folder: String) {
        self.name = name
        // With a slash behind it, a link would be followed.
        let end = folder.lastIndex { $0 != "/" }
        self.folder = String(end.map { folder[...$0] } ?? "")
    }

    /// Names a file in an app's folder among the user's configuration: below `$XDG_CONFIG_HOME`, else `~/.config`.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - app: The app's name.
    /// - Throws: ``SecureStoreError`` (`denied` where the user has no home).
    package init(_ name: String, of app: StoreService) throws(SecureStoreError) {
        self.init(name, in: try UserFolder.configuration(of: app))
    }

    /// Reads the file.
    ///
    /// - Parameter limit: The most bytes it may have.
    /// - Returns: What it holds; nil where there is no file.
    /// - Throws: ``SecureStoreError`` (`denied` where the file or its folder is a link, another user's, or everybody
    ///   may write to the folder; `damaged` where the file is too large; `busy` where it grows meanwhile; `failed`).
    package func read(atMost limit: Int) throws(SecureStoreError) -> [UInt8]? {
        guard try hasFolder() else { return nil }
        return try AtomicFile(path).read(atMost: limit)?.bytes
    }

    /// Puts new content in the place of the old, with mode 0600; whoever reads meanwhile sees the one or the other.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - expected: What the file must still hold; nil for anything.
    /// - Returns: Whether the file was replaced.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    package func replace(with bytes: [UInt8], ifStill expected: [UInt8]?) throws(SecureStoreError) -> Bool {
        if try !hasFolder() { _ = try PrivateFolder(folder) }
        let file = AtomicFile(path)
        guard try file.replace(with: bytes, ifStill: expected) else { return false }
        try file.synchronize()
        return true
    }

    /// Keeps what can't be read under the same name with `.damaged` behind it, in place of what was kept so before.
    ///
    /// With mode 0600, whatever mode it had: it may hold a token that an older version of the app left there.
    /// ``SettingsFileValue`` removes it at the sign-out.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    package func setAside() throws(SecureStoreError) {
        guard try hasFolder(), let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return }
        guard fchmod(file.number, 0o600) == 0 else { throw SystemError.error(errno, in: "fchmod") }
        let aside = Self.asidePath(of: path)
        guard unsafe rename(path, aside) == 0 || errno == ENOENT else { throw SystemError.error(errno, in: "rename") }
        try AtomicFile(aside).synchronize()
    }

    /// Returns the place where a file is kept that can't be read.
    static func asidePath(of path: String) -> String { path + ".damaged" }

    /// Whether the folder is there; an error where it is none to be used.
    private func hasFolder() throws(SecureStoreError) -> Bool {
        guard folder.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        guard let status = try Self.folder(at: folder)?.status() else { return false }
        guard status.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a folder of another user") }
        guard status.mode & 0o002 == 0 else { throw SecureStoreError(.denied, detail: "a folder open to all") }
        return true
    }

    private static func folder(at path: String) throws(SecureStoreError) -> Descriptor? {
        var status = stat()
        // The system says of a link only that it is no folder.
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            throw SecureStoreError(.denied, detail: "a folder that is a link")
        }
        return try Descriptor(path, O_RDONLY | O_DIRECTORY)
    }
}
