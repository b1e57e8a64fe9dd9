#if EncryptedFile
public import AuthCore

/// What opens an encrypted file: 1 to 4,096 bytes, taken as they are.
///
/// Nothing is normalised: a letter that Unicode writes in two ways makes two passphrases. The file is as safe as the
/// passphrase is hard to guess, so let a machine make it where no person must remember it: 32 random bytes in
/// hexadecimal, say. From a person take no fewer than five random words.
public struct Passphrase: Secret {
    /// The longest passphrase, in bytes.
    public static let maximumSize = 4_096

    /// In memory that is wiped with the last copy.
    let bytes: SecretBytes

    /// Takes a passphrase that the caller has.
    ///
    /// - Parameter text: The passphrase, whose UTF-8 is used. Secret; this copy of it is not wiped.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` where it is empty or too long).
    public init(_ text: String) throws(SecureStoreError) {
        try self.init(checking: SecretBytes(text.utf8))
    }

    /// Reads a passphrase from an open file, pipe or socket: standard input, say, whose descriptor is 0.
    ///
    /// Reads to the end, and blocks its thread until then; the descriptor stays open. One newline at the end is left
    /// out, and only one.
    ///
    /// - Parameter descriptor: Where to read.
    /// - Throws: ``SecureStoreError`` (`invalidPassphrase` where it is empty or too long; `denied`, `failed` where the
    ///   descriptor can't be read).
    public init(readingFrom descriptor: Int32) throws(SecureStoreError) {
        try self.init(checking: PassphraseSource.all(of: descriptor))
    }

    /// Reads a passphrase that systemd passes to a service: `LoadCredential=` or `LoadCredentialEncrypted=`.
    ///
    /// One newline at the end is left out, and only one.
    /// [systemd.exec(5), Credentials](https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#Credentials).
    ///
    /// - Parameter name: The credential's name: letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`; `invalidPassphrase` where there is no such credential, or it is
    ///   empty or too long; `denied`, `failed` where it can't be read).
    public init(systemdCredential name: String) throws(SecureStoreError) {
        try self.init(systemdCredential: name, in: PassphraseSource.credentialsFolder)
    }

    /// Reads a credential from the folder that systemd, or a test, says.
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
    /// Secret.
    public var unredacted: [UInt8] { bytes.unredacted }
}
#endif
