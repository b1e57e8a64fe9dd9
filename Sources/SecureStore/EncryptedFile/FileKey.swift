// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
public import AuthCore

/// The key of an encrypted file: 32 to 4,096 random bytes that no user types.
///
/// It opens the file in a millisecond, where a ``Passphrase`` takes some tenths of a second and 128 MiB to make guesses
/// expensive. So it must come from a generator, as with `head -c 32 /dev/urandom`. Text is refused: a passphrase that
/// is used as a key can be guessed.
public struct FileKey: Secret {
    /// The fewest bytes of a key.
    private static let minimumSize = 32
    private static let maximumSize = 4_096

    /// The key, in memory that is wiped when the last copy is released.
    let bytes: SecretBytes

    /// Creates a key from random bytes.
    ///
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` if there are too few or too many bytes, or they are text).
    public init(_ bytes: SecretBytes) throws(SecureStoreError) {
        guard bytes.count >= Self.minimumSize else { throw Self.invalid("the key has \(bytes.count) bytes") }
        guard bytes.count <= Self.maximumSize else { throw Self.invalid("the key is too long") }
        // One of 10^8 random keys is text by chance.
        guard String(validating: bytes.unredacted, as: UTF8.self) == nil else { throw Self.invalid("the key is text") }
        self.bytes = bytes
    }

    /// Reads a key from a file of this user that nobody else can read (mode 0600 or 0400).
    ///
    /// - Parameter path: The file; not a link.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` as for bytes, or if there is no file; `denied` if it is
    ///   another user's, open to others, or not a plain file; `failed`).
    public init(file path: String) throws(SecureStoreError) {
        try self.init(SecretFile.privateFile(path, atMost: Self.maximumSize + 1))
    }

    /// Reads a key that systemd passes to a service with `LoadCredential=` or `LoadCredentialEncrypted=`.
    ///
    /// - Parameter name: The credential's name: letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`; `invalidPassphrase` as for bytes, or if there is no credential;
    ///   `denied`, `failed`).
    public init(systemdCredential name: String) throws(SecureStoreError) {
        let folder = SecretFile.credentialsFolder
        try self.init(SecretFile.credential(name, in: folder, atMost: Self.maximumSize + 1))
    }

    private static func invalid(_ detail: String) -> SecureStoreError {
        SecureStoreError(.invalidPassphrase, detail: detail)
    }

    /// The bytes, copied out of the memory that is wiped.
    ///
    /// Secret; the copy is not wiped.
    public var unredacted: [UInt8] { bytes.unredacted }
}
#endif
