// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
public import AuthCore

/// The passphrase of an encrypted file: 1 to 4,096 bytes, used unchanged.
///
/// The bytes are not normalised: a letter with two Unicode encodings gives two different passphrases. The file is only
/// as safe as the passphrase is hard to guess. If a user has to remember it, require at least five random words. If
/// nobody has to, use a ``FileKey``.
public struct Passphrase: Secret {
    /// The longest passphrase, in bytes.
    private static let maximumSize = 4_096

    /// The passphrase, in memory that is wiped when the last copy is released.
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
    /// Removes one newline at the end, if there is one.
    /// [systemd.exec(5),
    /// Credentials](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#Credentials).
    ///
    /// - Parameter name: The credential's name: letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`; `invalidPassphrase` if the credential does not exist, is empty or
    ///   is too long; `denied`, `failed` if it can't be read).
    public init(systemdCredential name: String) throws(SecureStoreError) {
        try self.init(systemdCredential: name, in: SecretFile.credentialsFolder)
    }

    /// Reads a credential from a folder that systemd or a test chose.
    init(systemdCredential name: String, in folder: String?) throws(SecureStoreError) {
        // A byte more than is allowed, so that a longer one is detected.
        try self.init(SecretFile.credential(name, in: folder, atMost: Self.maximumSize + 1, droppingNewline: true))
    }

    private init(_ bytes: SecretBytes) throws(SecureStoreError) {
        guard bytes.count > 0 else { throw SecureStoreError(.invalidPassphrase, detail: "empty") }
        guard bytes.count <= Self.maximumSize else { throw SecureStoreError(.invalidPassphrase, detail: "too long") }
        self.bytes = bytes
    }

    /// The bytes, copied out of the memory that is wiped.
    ///
    /// Secret; the copy is not wiped.
    public var unredacted: [UInt8] { bytes.unredacted }
}
#endif
