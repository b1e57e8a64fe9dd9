// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import Crypto

/// The first bytes of an encrypted file: the salt and cost of its keys, the check value, and the sizes.
struct FileHeader: Sendable, Equatable {
    /// The size of a header, in bytes.
    static let size = checksummedSize + SHA256.byteCount
    private static let checksummedSize = 84

    let derivation: KeyDerivation
    /// The check value, derived with the keys: a wrong passphrase gives another value.
    let check: [UInt8]
    let indexSize: Int
    let contentSize: Int

    init(derivation: KeyDerivation, check: [UInt8], indexSize: Int, contentSize: Int) {
        self.derivation = derivation
        self.check = check
        self.indexSize = indexSize
        self.contentSize = contentSize
    }

    /// Reads the header of a file and checks the file's length.
    ///
    /// - Parameter file: All bytes of the file. Not trusted.
    /// - Throws: ``SecureStoreError`` (`newerFormat`, `truncated`, `damaged`).
    init(of file: [UInt8]) throws(SecureStoreError) {
        let magic = EncryptedFileFormat.magic
        guard file.prefix(magic.count).elementsEqual(magic.prefix(file.count)) else { throw Self.damage }
        guard file.count > magic.count else { throw SecureStoreError(.truncated) }
        // Checked before the length and checksum: a newer format may define both differently.
        let version = file[magic.count]
        guard version <= EncryptedFileFormat.version else { throw SecureStoreError(.newerFormat) }
        guard version == EncryptedFileFormat.version else { throw Self.damage }
        guard file.count >= Self.size else { throw SecureStoreError(.truncated) }
        let checksum = SHA256.hash(data: file[..<Self.checksummedSize])
        guard checksum.elementsEqual(file[Self.checksummedSize..<Self.size]) else { throw Self.damage }
        var reader = ByteReader(file[(magic.count + 1)..<Self.checksummedSize])
        guard
            let cost = ScryptCost(from: &reader),
            let salt = reader.bytes(EncryptedFileFormat.saltSize),
            let check = reader.bytes(FileKeys.checkSize),
            let indexSize = reader.size(atMost: EncryptedFileFormat.maximumSize),
            let contentSize = reader.size(atMost: EncryptedFileFormat.maximumSize),
            // Checked before scrypt runs: an attacker who wrote the file may try to exhaust the memory.
            cost.isBounded, Self.size + indexSize + contentSize <= EncryptedFileFormat.maximumSize
        else { throw Self.damage }
        self.init(
            derivation: KeyDerivation(cost: cost, salt: salt),
            check: check,
            indexSize: indexSize,
            contentSize: contentSize
        )
        guard file.count >= fileSize else { throw SecureStoreError(.truncated) }
        guard file.count == fileSize else { throw SecureStoreError(.damaged, detail: "length") }
    }

    /// The size of the whole file, in bytes.
    var fileSize: Int { Self.size + indexSize + contentSize }

    /// The header's bytes.
    var encoded: [UInt8] {
        let cost = derivation.cost
        var bytes = EncryptedFileFormat.magic + [EncryptedFileFormat.version]
        bytes += [cost.logRounds, cost.blockSize, cost.parallelism] + derivation.salt + check
        bytes += UInt32(indexSize).bigEndianBytes + UInt32(contentSize).bigEndianBytes
        return bytes + SHA256.hash(data: bytes)
    }

    private static var damage: SecureStoreError { SecureStoreError(.damaged, detail: "header") }
}
#endif
