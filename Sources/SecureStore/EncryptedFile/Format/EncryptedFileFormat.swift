#if EncryptedFile
/// The layout of an encrypted file, version 1.
///
/// `Docs/EncryptedFile.md` says what it protects from.
///
/// Numbers are big-endian and without a sign.
///
///     offset  size  what
///     0       8     "SALLYENC"
///     8       1     format version: 1
///     9       1     scrypt: log2 of N
///     10      1     scrypt: r
///     11      1     scrypt: p
///     12      32    salt, random
///     44      32    check value: tells a wrong passphrase
///     76      4     size of the index, I
///     80      4     size of the contents, C
///     84      32    SHA-256 of bytes 0 to 83: tells damage from a wrong passphrase
///     116     I     the index: nonce (12), ciphertext (I - 28), tag (16)
///     116+I   C     the items' ciphertexts, one after the other in the index's order
///
/// The file ends there. The index is, decrypted:
///
///     2       number of items, at most 256
///     and for each item, in ascending order of the names' bytes:
///     1       length of the name, 1 to 128
///     ...     name
///     4       size of the item, at most 262,144
///     12      nonce, random
///     16      tag
///
/// Both are sealed with ChaCha20-Poly1305 ([RFC 8439](https://www.rfc-editor.org/rfc/rfc8439#section-2.8)). What is
/// authenticated beside them is a list of parts, each behind its length in two bytes. For the index: the header (bytes
/// 0 to 115), service, account. For an item: magic, version, salt, service, account, name.
///
/// The keys: scrypt of the passphrase and the salt makes 32 bytes
/// ([RFC 7914](https://www.rfc-editor.org/rfc/rfc7914#section-6)); HKDF-Expand with SHA-256
/// ([RFC 5869](https://www.rfc-editor.org/rfc/rfc5869#section-2.3)) and the labels of ``FileKeys`` makes of them the
/// item key, the index key and the check value, 32 bytes each.
///
/// The index holds every nonce and every tag: an item that was taken out, put elsewhere, doubled, or brought back from
/// an older file is noticed. It alone says where items begin, so that damage to one leaves all others readable.
enum EncryptedFileFormat {
    static let magic = Array("SALLYENC".utf8)
    static let version: UInt8 = 1
    static let saltSize = 32
    static let nonceSize = 12
    static let tagSize = 16
    /// The most items that a file may have.
    static let maximumItems = 256
    /// The largest file, in bytes.
    static let maximumSize = 16 << 20
}
#endif
