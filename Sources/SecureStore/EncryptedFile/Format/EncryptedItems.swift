// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The items of a file: each stays sealed until it is read, and is not resealed if another item changes.
struct EncryptedItems {
    /// The salt and cost that the keys are derived with.
    let derivation: KeyDerivation
    private let keys: FileKeys
    private let scope: StoreScope
    private var boxes: [StoreKey: ChaChaPoly.SealedBox] = [:]
    /// Whether an item was written or removed.
    private(set) var isChanged = false

    /// Creates an empty set of items.
    init(derivation: KeyDerivation, keys: FileKeys, scope: StoreScope) {
        self.derivation = derivation
        self.keys = keys
        self.scope = scope
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - file: All bytes of the file.
    ///   - header: The header that was read from these bytes.
    ///   - keys: The keys derived with the header's salt and cost. Secret.
    ///   - scope: The service and account.
    /// - Throws: ``SecureStoreError`` (`wrongPassphrase`, `damaged`).
    init(of file: [UInt8], header: FileHeader, keys: FileKeys, scope: StoreScope) throws(SecureStoreError) {
        guard ConstantTime.equal(keys.check, header.check) else { throw SecureStoreError(.wrongPassphrase) }
        self.init(derivation: header.derivation, keys: keys, scope: scope)
        let index = try FileIndex(of: file, header: header, key: keys.index, scope: scope)
        var rest = file[(FileHeader.size + header.indexSize)...]
        for entry in index.entries {
            do {
                boxes[entry.key] = try ChaChaPoly.SealedBox(
                    nonce: ChaChaPoly.Nonce(data: entry.nonce),
                    ciphertext: rest.prefix(entry.size),
                    tag: entry.tag
                )
            } catch {
                // Thrown only for a nonce or tag of another length, and both have a fixed length in the index.
                throw SecureStoreError(.damaged, detail: "index")
            }
            rest = rest.dropFirst(entry.size)
        }
    }

    /// The keys of all items, including damaged ones.
    var names: Set<StoreKey> { Set(boxes.keys) }

    /// Opens an item.
    ///
    /// - Parameter key: The item's key.
    /// - Returns: The item, secret; nil if the file does not contain it.
    /// - Throws: ``SecureStoreError`` (`damaged`).
    func item(forKey key: StoreKey) throws(SecureStoreError) -> SecretBytes? {
        guard let box = boxes[key] else { return nil }
        let parts = AuthenticatedParts.ofItem(key, derivation.salt, scope)
        guard var opened = try? ChaChaPoly.open(box, using: keys.item, authenticating: parts.bytes) else {
            throw SecureStoreError(.damaged, detail: "item")
        }
        defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
        return SecretBytes(opened)
    }

    /// Seals an item and replaces the present one, damaged or not.
    ///
    /// - Parameters:
    ///   - item: The item. Secret.
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError`` (`full` if there are too many other items); errors of swift-crypto.
    mutating func set(_ item: SecretBytes, forKey key: StoreKey) throws {
        guard boxes[key] != nil || boxes.count < EncryptedFileFormat.maximumItems else {
            throw SecureStoreError(.full, detail: "\(EncryptedFileFormat.maximumItems) items")
        }
        let parts = AuthenticatedParts.ofItem(key, derivation.salt, scope)
        // Safe: the buffer is read only within the call that lends it. `seal` chooses a random nonce.
        boxes[key] = unsafe try item.withUnsafeBytes { bytes in
            unsafe try ChaChaPoly.seal(bytes, using: keys.item, authenticating: parts.bytes)
        }
        isChanged = true
    }

    /// Removes an item, damaged or not.
    mutating func remove(forKey key: StoreKey) {
        if boxes.removeValue(forKey: key) != nil { isChanged = true }
    }

    /// Removes all items.
    mutating func removeAll() {
        isChanged = isChanged || !boxes.isEmpty
        boxes = [:]
    }

    /// Returns the bytes of a file that contains these items.
    ///
    /// - Returns: The whole file.
    /// - Throws: ``SecureStoreError`` (`full` if the file would be too large); errors of swift-crypto.
    func encoded() throws -> [UInt8] {
        let sorted = boxes.sorted { $0.key.name < $1.key.name }
        let contents = sorted.map(\.value.ciphertext)
        let index = FileIndex(
            entries: sorted.map { key, box in
                FileIndex.Entry(
                    key: key,
                    size: box.ciphertext.count,
                    nonce: Array(box.nonce),
                    tag: Array(box.tag)
                )
            }
        )
        let header = FileHeader(
            derivation: derivation,
            check: keys.check,
            indexSize: index.sealedSize,
            contentSize: contents.reduce(0) { $0 + $1.count }
        )
        guard header.fileSize <= EncryptedFileFormat.maximumSize else {
            throw SecureStoreError(.full, detail: "\(EncryptedFileFormat.maximumSize) bytes")
        }
        var bytes = header.encoded
        bytes.reserveCapacity(header.fileSize)
        bytes += try index.sealed(under: header, key: keys.index, scope: scope)
        for content in contents { bytes += content }
        return bytes
    }
}
#endif
