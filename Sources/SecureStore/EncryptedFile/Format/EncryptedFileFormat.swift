// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
/// The layout of an encrypted file, version 1.
///
/// The article `ReadingTheEncryptedFileFormat.md` describes the threats that it protects against.
///
/// Numbers are big-endian and unsigned.
///
///     offset  size  content
///     0       8     "SALLYENC"
///     8       1     format version: 1
///     9       1     scrypt: log2 of N
///     10      1     scrypt: r
///     11      1     scrypt: p
///     12      32    salt, random
///     44      32    check value: detects a wrong passphrase
///     76      4     size of the index, I
///     80      4     size of the contents, C
///     84      32    SHA-256 of bytes 0 to 83: distinguishes damage from a wrong passphrase
///     116     I     the index: nonce (12), ciphertext (I - 28), tag (16)
///     116+I   C     the items' ciphertexts, in the order of the index
///
/// The file ends there. The decrypted index contains:
///
///     2       number of items, at most 256
///     then, for each item, in ascending order of the names' bytes:
///     1       length of the name, 1 to 128
///     ...     name
///     4       size of the item, at most 262,144
///     12      nonce, random
///     16      tag
///
/// The index and the items are sealed with ChaCha20-Poly1305
/// ([RFC 8439](https://www.rfc-editor.org/rfc/rfc8439#section-2.8)). The associated data is a list of parts, each after
/// its length in two bytes. For the index: the header (bytes 0 to 115), service, account. For an item: magic, version,
/// salt, service, account, name.
///
/// The keys: scrypt derives 32 bytes from the passphrase and the salt
/// ([RFC 7914](https://www.rfc-editor.org/rfc/rfc7914#section-6)). From these, HKDF-Expand with SHA-256
/// ([RFC 5869](https://www.rfc-editor.org/rfc/rfc5869#section-2.3)) and the labels of ``FileKeys`` derives the item
/// key, the index key and the check value, 32 bytes each.
///
/// The index holds every nonce and every tag, so an item that was removed, moved, duplicated or restored from an older
/// file is detected. Only the index says where items begin, so damage to one item leaves all others readable.
enum EncryptedFileFormat {
    static let magic = Array("SALLYENC".utf8)
    static let version: UInt8 = 1
    static let saltSize = 32
    static let nonceSize = 12
    static let tagSize = 16
    /// The maximum number of items in a file.
    static let maximumItems = 256
    /// The maximum size of a file, in bytes.
    static let maximumSize = 16 << 20
}
#endif
