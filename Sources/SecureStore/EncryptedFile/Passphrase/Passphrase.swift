// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
public import AuthCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The passphrase of an encrypted file: 1 to 4,096 bytes, used unchanged.
///
/// The bytes are not normalised: a letter with two Unicode encodings gives two different passphrases. The file is only
/// as safe as the passphrase is hard to guess. If no user has to remember it, generate it: for example, 32 random bytes
/// in hexadecimal. If a user has to remember it, require at least five random words.
public struct Passphrase: Secret {
    /// The longest passphrase, in bytes.
    public static let maximumSize = 4_096

    /// The passphrase, in memory that is wiped when the last copy is released.
    let bytes: SecretBytes

    /// Creates a passphrase from text.
    ///
    /// - Parameter text: The passphrase, used as UTF-8. Secret; the string itself is not wiped.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` if it is empty or too long).
    public init(_ text: String) throws(SecureStoreError) {
        try self.init(checking: SecretBytes(text.utf8))
    }

    /// Reads a passphrase from an open file, pipe or socket, such as standard input (descriptor 0).
    ///
    /// Blocks the thread until the input ends or is too long. The descriptor stays open. Removes one newline at the
    /// end, if there is one.
    ///
    /// - Parameter descriptor: The descriptor to read.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` if it is empty or too long; `denied`, `failed` if the
    ///   descriptor can't be read).
    public init(readingFrom descriptor: Int32) throws(SecureStoreError) {
        try self.init(checking: PassphraseSource.all(of: descriptor))
    }

    /// Reads a passphrase that systemd passes to a service with `LoadCredential=` or `LoadCredentialEncrypted=`.
    ///
    /// Removes one newline at the end, if there is one.
    /// [systemd.exec(5),
    /// Credentials](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#Credentials).
    ///
    /// - Parameter name: The credential's name: letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`; `invalidPassphrase` if the credential does not exist, is empty or
    ///   is too long; `denied`, `failed` if it can't be read).
    public init(systemdCredential name: String) throws(SecureStoreError) {
        try self.init(systemdCredential: name, in: PassphraseSource.credentialsFolder)
    }

    /// Reads a credential from a folder that systemd or a test chose.
    init(systemdCredential name: String, in folder: String?) throws(SecureStoreError) {
        try self.init(checking: PassphraseSource.credential(name, in: folder))
    }

    private init(checking bytes: SecretBytes) throws(SecureStoreError) {
        guard bytes.count > 0 else { throw SecureStoreError(.invalidPassphrase, detail: "empty") }
        guard bytes.count <= Self.maximumSize else { throw SecureStoreError(.invalidPassphrase, detail: "too long") }
        self.bytes = bytes
    }

    /// The bytes, copied out of the memory that is wiped.
    ///
    /// Secret; the copy is not wiped.
    public var unredacted: [UInt8] { bytes.unredacted }
}

/// The sources of a passphrase.
private enum PassphraseSource {
    /// Reads to the end, and removes one newline there, if there is one.
    ///
    /// - Parameter descriptor: The descriptor to read. It stays open.
    /// - Returns: The bytes, at most two more than a passphrase may have, so that the caller detects a longer one.
    ///   Secret.
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    static func all(of descriptor: Int32) throws(SecureStoreError) -> SecretBytes {
        // Two bytes more: the newline, and a byte that shows that the input is too long.
        var buffer = [UInt8](repeating: 0, count: Passphrase.maximumSize + 2)
        defer { Wiping.wipe(&buffer) }
        var count = try Descriptor.fill(&buffer, from: descriptor)
        if count > 0, buffer[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        return SecretBytes(buffer[..<count])
    }

    /// The folder with this service's credentials; nil if systemd did not set `CREDENTIALS_DIRECTORY`.
    static var credentialsFolder: String? {
        unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
    }

    /// Reads the file of a credential.
    ///
    /// - Parameters:
    ///   - name: The credential's name. Not trusted: it must not lead outside the folder.
    ///   - folder: The folder with the credentials.
    /// - Returns: The credential. Secret.
    /// - Throws: ``SecureStoreError`` (`invalidName`, `invalidPassphrase`, `denied`, `failed`).
    static func credential(_ name: String, in folder: String?) throws(SecureStoreError) -> SecretBytes {
        let name = try StoreName.checked(name)
        guard name != ".", name != ".." else { throw SecureStoreError(.invalidName) }
        guard let folder, folder.hasPrefix("/") else {
            throw SecureStoreError(.invalidPassphrase, detail: "no CREDENTIALS_DIRECTORY")
        }
        // Does not block: the path may be a pipe without a writer.
        guard let file = try Descriptor("\(folder)/\(name)", O_RDONLY | O_NONBLOCK) else {
            throw SecureStoreError(.invalidPassphrase, detail: "credential not found")
        }
        guard try file.status().isFile else { throw SecureStoreError(.denied, detail: "not a file") }
        return try all(of: file.number)
    }
}
#endif
