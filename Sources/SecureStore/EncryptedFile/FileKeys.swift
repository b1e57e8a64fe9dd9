// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of a file, wiped when the last copy is released.
///
/// A main key of 32 bytes comes from the passphrase with scrypt ([RFC
/// 7914](https://www.rfc-editor.org/rfc/rfc7914#section-6)), or from the file's key with HKDF. HKDF-Expand ([RFC
/// 5869](https://www.rfc-editor.org/rfc/rfc5869#section-2.3)) derives the rest from it. All with SHA-256.
struct FileKeys: Sendable {
    private static let size = 32

    /// The secret key that the others are derived from.
    let main: SymmetricKey
    /// The secret key that seals the box.
    let content: SymmetricKey
    /// The check value in the header, which reveals nothing about the other keys.
    let check: [UInt8]

    /// Derives the keys from a passphrase, with the time and memory that a bounded cost demands.
    ///
    /// - Throws: ``SecureStoreError`` (`failed` if scrypt can't allocate its memory).
    init(_ passphrase: Passphrase, _ cost: ScryptCost, salt: [UInt8]) throws(SecureStoreError) {
        self.init(main: try Self.scrypt(passphrase, cost, salt: salt))
    }

    init(_ key: FileKey, salt: [UInt8]) {
        // Safe: the buffer is read only within the call that lends it.
        let material = unsafe key.bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
        let info = Array("sallyport encrypted file v1: main key".utf8)
        self.init(
            main: HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, info: info, outputByteCount: Self.size)
        )
    }

    private init(main: SymmetricKey) {
        self.main = main
        content = Self.expand(main, "content key")
        // Safe: the buffer is read only within the call that lends it.
        check = unsafe Self.expand(main, "check value").withUnsafeBytes { unsafe Array($0) }
    }

    private static func expand(_ main: SymmetricKey, _ use: String) -> SymmetricKey {
        let info = Array("sallyport encrypted file v1: \(use)".utf8)
        return HKDF<SHA256>.expand(pseudoRandomKey: main, info: info, outputByteCount: size)
    }

    private static func scrypt(
        _ passphrase: Passphrase,
        _ cost: ScryptCost,
        salt: [UInt8]
    ) throws(SecureStoreError) -> SymmetricKey {
        do {
            // Safe: the buffer is read only within the call that lends it.
            return unsafe try passphrase.bytes.withUnsafeBytes { bytes in
                unsafe try KDF.Scrypt.deriveKey(
                    from: bytes,
                    salt: salt,
                    outputByteCount: size,
                    rounds: 1 << Int(cost.logRounds),
                    blockSize: Int(cost.blockSize),
                    parallelism: Int(cost.parallelism)
                )
            }
        } catch {
            throw SecureStoreError(.failed, detail: "scrypt")
        }
    }
}

// MARK: The kernel's keyring

/// The main key that scrypt derived, kept for the user's next commands.
///
/// The passphrase wraps it, so that a wrong passphrase still opens nothing and a reader of the kernel's keyring does
/// not have the key: a guess at the passphrase costs 1/128 of a guess at the file.
extension FileKeys {
    private static let wrappingCost = ScryptCost(10)
    private static let wrappedSize = size + EncryptedFileFormat.boxOverhead

    /// Returns the keys of a file if they are kept and this passphrase unwraps them.
    ///
    /// A key that opens another file of this salt is removed.
    static func kept(_ passphrase: Passphrase, for header: FileHeader) -> FileKeys? {
        let salt = header.derivation.salt
        guard var wrapped = KernelKeyring.read(name(salt), size: wrappedSize) else { return nil }
        defer { Wiping.wipe(&wrapped) }
        guard
            let wrappingKey = try? wrappingKey(passphrase, salt),
            let box = try? ChaChaPoly.SealedBox(combined: wrapped),
            var main = try? ChaChaPoly.open(box, using: wrappingKey, authenticating: salt)
        else { return nil }
        defer { main.resetBytes(in: main.startIndex..<main.endIndex) }
        let keys = FileKeys(main: SymmetricKey(data: main))
        guard ConstantTime.equal(keys.check, header.check) else {
            KernelKeyring.remove(name(salt))
            return nil
        }
        return keys
    }

    /// Keeps the keys for fifteen minutes after their last use; does nothing if the kernel refuses.
    func keep(_ passphrase: Passphrase, salt: [UInt8]) {
        // Safe: the buffer is read only within the call that lends it.
        let wrapped = unsafe main.withUnsafeBytes { main in
            unsafe try? ChaChaPoly.seal(main, using: Self.wrappingKey(passphrase, salt), authenticating: salt).combined
        }
        if let wrapped { KernelKeyring.keep(Array(wrapped), as: Self.name(salt)) }
    }

    static func removeKept(salt: [UInt8]) { KernelKeyring.remove(name(salt)) }

    private static func wrappingKey(
        _ passphrase: Passphrase,
        _ salt: [UInt8]
    ) throws(SecureStoreError) -> SymmetricKey {
        try scrypt(passphrase, wrappingCost, salt: Array("kept key".utf8) + salt)
    }

    /// The name in the kernel's keyring, another one for each salt.
    private static func name(_ salt: [UInt8]) -> String {
        "sallyport:" + Hexadecimal.encode(Array(SHA256.hash(data: Array("kept key".utf8) + salt))).prefix(40)
    }
}
#endif
