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

/// The secret that opens a file.
package enum FileSecret: Sendable {
    /// A key, from a function that may wait until the deadline.
    case key(@Sendable (KeyDeadline) throws -> FileKey)
    case passphrase(@Sendable () throws -> Passphrase, keepsDerivedKey: Bool)
}

#if Keyring && canImport(CSecretService)
/// The deadline for getting a key, and the means to end the wait earlier.
package typealias KeyDeadline = CallDeadline
#else
/// The deadline for getting a key, for which nothing waits here.
package struct KeyDeadline: Sendable {
    init(in duration: Duration) {}
    func cancel() {}
}
#endif

/// The passphrase of an encrypted file: 1 to 4,096 bytes, used unchanged.
///
/// The bytes are not normalised: a letter with two Unicode encodings gives two different passphrases. The file is only
/// as safe as the passphrase is hard to guess. If a user has to remember it, require at least five random words. If
/// nobody has to, use a ``FileKey``.
public struct Passphrase: Secret {
    let bytes: SecretBytes

    /// Creates a passphrase from text.
    ///
    /// - Parameter text: The passphrase, used as UTF-8. Secret; the string itself is not wiped.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` if it is empty or too long).
    public init(_ text: String) throws(SecureStoreError) {
        try self.init(SecretBytes(text.utf8))
    }

    /// Reads a passphrase that systemd passes to a service with `LoadCredential=` or `LoadCredentialEncrypted=`.
    ///
    /// Removes one newline at the end.
    /// [systemd.exec(5)](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#Credentials).
    ///
    /// - Parameter name: The credential's name: letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`; `invalidPassphrase` if the credential does not exist, is empty or
    ///   is too long; `denied`, `failed` if it can't be read).
    public init(systemdCredential name: String) throws(SecureStoreError) {
        try self.init(systemdCredential: name, in: SecretFile.credentialsFolder)
    }

    /// Reads a credential from a folder that systemd or a test chose.
    init(systemdCredential name: String, in folder: String?) throws(SecureStoreError) {
        try self.init(SecretFile.credential(name, in: folder).read(droppingNewline: true))
    }

    private init(_ bytes: SecretBytes) throws(SecureStoreError) {
        guard bytes.count > 0 else { throw SecureStoreError(.invalidPassphrase, detail: "empty") }
        guard bytes.count <= SecretFile.maximumSize else {
            throw SecureStoreError(.invalidPassphrase, detail: "too long")
        }
        self.bytes = bytes
    }

    public var unredacted: [UInt8] { bytes.unredacted }
}

/// The key of an encrypted file: 32 to 4,096 random bytes that no user types.
///
/// It opens the file in a millisecond, where a ``Passphrase`` takes some tenths of a second and 128 MiB to make guesses
/// expensive. So it must come from a generator, as with `head -c 32 /dev/urandom`. Text is refused: a passphrase that
/// is used as a key can be guessed.
public struct FileKey: Secret {
    let bytes: SecretBytes

    /// Creates a key from random bytes.
    ///
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` if there are too few or too many bytes, or they are text).
    public init(_ bytes: SecretBytes) throws(SecureStoreError) {
        let fault: String? =
            switch bytes.count {
            case ..<32: "the key has \(bytes.count) bytes"
            case (SecretFile.maximumSize + 1)...: "the key is too long"
            // One of 10^8 random keys is text by chance.
            default: String(validating: bytes.unredacted, as: UTF8.self).map { _ in "the key is text" }
            }
        if let fault { throw SecureStoreError(.invalidPassphrase, detail: fault) }
        self.bytes = bytes
    }

    /// Reads a key from a file of this user that nobody else can read (mode 0600 or 0400).
    ///
    /// - Parameter path: The file; not a link.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` as for bytes, or if there is no file; `denied` if it is
    ///   another user's, open to others, or not a plain file; `failed`).
    public init(file path: String) throws(SecureStoreError) {
        try self.init(SecretFile(path: path, name: "key file", isPrivate: true).read())
    }

    /// Reads a key that systemd passes to a service, whole, and otherwise as ``Passphrase/init(systemdCredential:)``.
    public init(systemdCredential name: String) throws(SecureStoreError) {
        try self.init(SecretFile.credential(name, in: SecretFile.credentialsFolder).read())
    }

    public var unredacted: [UInt8] { bytes.unredacted }
}

/// A file from which a passphrase or a key is read.
private struct SecretFile {
    let path: String
    /// Its name in the error if it does not exist.
    let name: String
    /// Whether it must be this user's, and closed to others.
    let isPrivate: Bool

    /// The longest passphrase or key, in bytes.
    static let maximumSize = 4_096

    /// The folder with this service's credentials; nil if systemd did not set `CREDENTIALS_DIRECTORY`.
    static var credentialsFolder: String? {
        UserFolder.value(of: "CREDENTIALS_DIRECTORY")
    }

    /// Names a credential of systemd.
    ///
    /// - Parameter name: Not trusted: it must not lead outside the folder.
    static func credential(_ name: String, in folder: String?) throws(SecureStoreError) -> SecretFile {
        let name = try StoreKey(name).name
        guard name != ".", name != ".." else { throw SecureStoreError(.invalidName) }
        guard let folder, folder.hasPrefix("/") else {
            throw SecureStoreError(.invalidPassphrase, detail: "no CREDENTIALS_DIRECTORY")
        }
        return SecretFile(path: "\(folder)/\(name)", name: "credential", isPrivate: false)
    }

    /// Reads at most two bytes more than are allowed, so that a longer secret is detected.
    func read(droppingNewline: Bool = false) throws(SecureStoreError) -> SecretBytes {
        guard let (file, status) = try isPrivate ? Descriptor.ownFile(path) : Descriptor.plainFile(path) else {
            throw SecureStoreError(.invalidPassphrase, detail: "\(name) not found")
        }
        guard !isPrivate || status.st_mode & 0o077 == 0 else {
            throw SecureStoreError(.denied, detail: "a \(name) open to others")
        }
        var buffer = [UInt8](repeating: 0, count: Self.maximumSize + 2)
        defer { Wiping.wipe(&buffer) }
        var count = try file.fill(&buffer)
        if droppingNewline, count > 0, buffer[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        return SecretBytes(buffer[..<count])
    }
}

/// An overwrite that the compiler can't optimize away.
enum Wiping {
    static func wipe(_ bytes: inout [UInt8]) {
        // Safe: the buffer is written only within the call that lends it.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            #if canImport(Darwin)
            _ = unsafe memset_s(start, buffer.count, 0, buffer.count)
            #else
            unsafe explicit_bzero(start, buffer.count)
            #endif
        }
    }
}
#endif
