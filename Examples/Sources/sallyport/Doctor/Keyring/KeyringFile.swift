// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A test of whether a gnome-keyring file is encrypted.
enum KeyringFile {
    /// Returns whether a keyring is unencrypted on the disk, as a keyring without a password is.
    ///
    /// - Parameters:
    ///   - collection: The keyring's object path.
    ///   - folder: The folder of gnome-keyring's files.
    /// - Returns: True only if the file exists and begins as an unencrypted one does.
    static func isInClear(_ collection: String, in folder: String) -> Bool {
        guard let name = name(of: collection) else { return false }
        // An encrypted file begins with "GnomeKeyring".
        let file = try? Data(contentsOf: URL(filePath: "\(folder)/\(name).keyring"))
        return file?.starts(with: "[keyring]".utf8) == true
    }

    /// Returns the file's name, decoded from the last part of the path.
    ///
    /// A byte that the path can't contain is `_` and two hexadecimal digits there.
    private static func name(of collection: String) -> String? {
        guard let last = collection.split(separator: "/").last else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(last.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        // The name must not lead out of the folder.
        let name = String(decoding: bytes, as: UTF8.self)
        return name.contains("/") || name.contains("\0") ? nil : name
    }
}
