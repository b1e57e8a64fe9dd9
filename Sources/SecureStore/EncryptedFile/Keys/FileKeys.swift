#if EncryptedFile
import AuthCore
import Crypto
import CryptoExtras

/// The keys of a file, made of a passphrase: wiped with their last copy.
struct FileKeys: Sendable {
    /// The size of the check value, in bytes.
    static let checkSize = keySize
    private static let keySize = 32

    /// What items are sealed with.
    ///
    /// Secret.
    let item: SymmetricKey
    /// What the index is sealed with.
    ///
    /// Secret.
    let index: SymmetricKey
    /// What stands in the header and tells a wrong passphrase; says nothing of the two keys.
    let check: [UInt8]

    /// Makes the keys: takes the time and the memory that the cost says.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase. Secret.
    ///   - derivation: The salt, and a cost that is bounded.
    /// - Throws: ``SecureStoreError`` (`failed` where scrypt got no memory).
    init(passphrase: Passphrase, derivation: KeyDerivation) throws(SecureStoreError) {
        let cost = derivation.cost
        let main: SymmetricKey
        do {
            // Safe: the buffer is read within the call that lends it.
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
        // Safe: the buffer is read within the call that lends it.
        self.check = unsafe check.withUnsafeBytes { unsafe Array($0) }
    }

    private static func expand(_ main: SymmetricKey, _ label: String) -> SymmetricKey {
        HKDF<SHA256>.expand(pseudoRandomKey: main, info: Array(label.utf8), outputByteCount: keySize)
    }
}
#endif
