// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import Crypto
import CryptoExtras

/// The keys of a file, derived from a passphrase and wiped when the last copy is released.
struct FileKeys: Sendable {
    /// The size of the check value, in bytes.
    static let checkSize = keySize
    private static let keySize = 32

    /// The key that seals the items.
    ///
    /// Secret.
    let item: SymmetricKey
    /// The key that seals the index.
    ///
    /// Secret.
    let index: SymmetricKey
    /// The check value in the header, which detects a wrong passphrase and reveals nothing about the two keys.
    let check: [UInt8]

    /// Derives the keys, with the time and memory that the cost demands.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase. Secret.
    ///   - derivation: The salt, and a cost that is bounded.
    /// - Throws: ``SecureStoreError`` (`failed` if scrypt can't allocate its memory).
    init(passphrase: Passphrase, derivation: KeyDerivation) throws(SecureStoreError) {
        let cost = derivation.cost
        let main: SymmetricKey
        do {
            // Safe: the buffer is read only within the call that lends it.
            main = unsafe try passphrase.bytes.withUnsafeBytes { bytes in
                unsafe try KDF.Scrypt.deriveKey(
                    from: bytes,
                    salt: derivation.salt,
                    outputByteCount: Self.keySize,
                    rounds: 1 << Int(cost.logRounds),
                    blockSize: Int(cost.blockSize),
                    parallelism: Int(cost.parallelism)
                )
            }
        } catch {
            throw SecureStoreError(.failed, detail: "scrypt")
        }
        item = Self.expand(main, "sallyport encrypted file v1: item key")
        index = Self.expand(main, "sallyport encrypted file v1: index key")
        let check = Self.expand(main, "sallyport encrypted file v1: check value")
        // Safe: the buffer is read only within the call that lends it.
        self.check = unsafe check.withUnsafeBytes { unsafe Array($0) }
    }

    private static func expand(_ main: SymmetricKey, _ label: String) -> SymmetricKey {
        HKDF<SHA256>.expand(pseudoRandomKey: main, info: Array(label.utf8), outputByteCount: keySize)
    }
}

/// The salt and cost that derive a file's keys from its passphrase, unchanged until the passphrase changes.
struct KeyDerivation: Sendable, Hashable {
    let cost: ScryptCost
    let salt: [UInt8]

    /// Creates the derivation that a file's header describes.
    init(cost: ScryptCost, salt: [UInt8]) {
        self.cost = cost
        self.salt = salt
    }

    /// Creates a derivation with a new random salt.
    init(cost: ScryptCost) {
        self.cost = cost
        salt = RandomBytes.make(EncryptedFileFormat.saltSize)
    }
}
#endif
