// SPDX-License-Identifier: Apache-2.0

import SecureStore

/// A file in an app's settings folder.
///
/// The folder and the file belong to this user, and neither of them is a link. A folder that this type creates has mode
/// 0700. A folder that an older version of the app created stays as it is: others may read it and a group may write to
/// it, because on many systems every user has a separate group.
struct ConfigurationFile: Sendable, Hashable {
    /// The file's path.
    var path: String { "\(folder)/\(name)" }

    private let folder: String
    private let name: String

    /// Names a file in a folder.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: An absolute path. The folder is created when the file is written.
    init(_ name: String, in folder: String) {
        self.name = name
        // With a trailing slash, a link would be followed.
        let end = folder.lastIndex { $0 != "/" }
        self.folder = String(end.map { folder[...$0] } ?? "")
    }

    /// Names a file in an app's configuration folder: `$XDG_CONFIG_HOME/<app>`, by default `~/.config/<app>`, on Apple
    /// systems `Library/Application Support/<app>`.
    ///
    /// - Throws: `SecureStoreError` (`invalidName`; `denied` if the user has no home folder).
    init(_ name: String, of app: String) throws(SecureStoreError) {
        self.init(name, in: try "\(UserFolder.path(.configuration))/\(StoreKey(app).name)")
    }

    /// Reads the file; nil if it does not exist.
    ///
    /// - Parameter limit: The largest size that the file may have, in bytes.
    /// - Throws: `SecureStoreError` (`denied` if the file or its folder is a link or another user's, or if everyone
    ///   may write to the folder; `damaged` if the file is too large; `busy` if it grows during the read; `failed`).
    func read(atMost limit: Int) throws(SecureStoreError) -> [UInt8]? {
        guard try PrivateFolder.isUsable(folder) else { return nil }
        return try AtomicFile(path).read(atMost: limit)?.bytes
    }

    /// Replaces the content and sets mode 0600; a reader sees the old or the new content.
    ///
    /// - Throws: `SecureStoreError` (`denied`, `full`, `failed`).
    func replace(with bytes: [UInt8]) throws(SecureStoreError) {
        try makeFolder()
        let file = AtomicFile(path)
        try file.replace(with: bytes)
        try file.synchronize()
    }

    /// Creates the folder if it does not exist; throws if it is unsafe to use.
    func makeFolder() throws(SecureStoreError) {
        if try !PrivateFolder.isUsable(folder) { _ = try PrivateFolder(folder) }
    }
}
