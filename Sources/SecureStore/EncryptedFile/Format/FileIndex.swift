// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The index of a file: each item's name, size, nonce and tag.
struct FileIndex {
    /// The entry of one item.
    struct Entry {
        let key: StoreKey
        let size: Int
        let nonce: [UInt8]
        let tag: [UInt8]
    }

    /// The entries, in ascending order of the names.
    let entries: [Entry]

    /// Creates an index from entries that are in order.
    init(entries: [Entry]) {
        self.entries = entries
    }

    /// Opens the index of a file.
    ///
    /// - Parameters:
    ///   - file: All bytes of the file. Their number was checked against the header.
    ///   - header: The file's header.
    ///   - key: The index key. Secret.
    ///   - scope: The service and account.
    /// - Throws: ``SecureStoreError`` (`damaged`).
    init(
        of file: [UInt8],
        header: FileHeader,
        key: SymmetricKey,
        scope: StoreScope
    ) throws(SecureStoreError) {
        let sealed = file[FileHeader.size...].prefix(header.indexSize)
        let parts = AuthenticatedParts.ofIndex(header, scope)
        // Every error of swift-crypto means the same here: these are not the bytes that were sealed.
        guard
            let box = try? ChaChaPoly.SealedBox(combined: sealed),
            let table = try? ChaChaPoly.open(box, using: key, authenticating: parts.bytes),
            let entries = Self.entries(of: Array(table)),
            entries.reduce(0, { $0 + $1.size }) == header.contentSize
        else { throw SecureStoreError(.damaged, detail: "index") }
        self.entries = entries
    }

    /// The size of the sealed index, in bytes.
    var sealedSize: Int { EncryptedFileFormat.nonceSize + table.count + EncryptedFileFormat.tagSize }

    /// Seals the index.
    ///
    /// - Parameters:
    ///   - header: The header that precedes the index.
    ///   - key: The index key. Secret.
    ///   - scope: The service and account.
    /// - Returns: The nonce, the ciphertext and the tag.
    /// - Throws: Errors of swift-crypto.
    func sealed(under header: FileHeader, key: SymmetricKey, scope: StoreScope) throws -> Data {
        let parts = AuthenticatedParts.ofIndex(header, scope)
        return try ChaChaPoly.seal(table, using: key, authenticating: parts.bytes).combined
    }

    private var table: [UInt8] {
        var bytes = UInt16(entries.count).bigEndianBytes
        for entry in entries {
            bytes.append(UInt8(entry.key.name.utf8.count))
            bytes += entry.key.name.utf8
            bytes += UInt32(entry.size).bigEndianBytes + entry.nonce + entry.tag
        }
        return bytes
    }

    /// Reads the decrypted index; returns nil unless this library would write exactly these bytes.
    private static func entries(of table: [UInt8]) -> [Entry]? {
        var reader = ByteReader(table[...])
        guard let number = reader.bytes(2) else { return nil }
        let count = Int(number[0]) << 8 | Int(number[1])
        guard count <= EncryptedFileFormat.maximumItems else { return nil }
        var entries: [Entry] = []
        for _ in 0..<count {
            guard
                let length = reader.byte(),
                let name = reader.bytes(Int(length)),
                let key = try? StoreKey(String(decoding: name, as: UTF8.self)),
                entries.last.map({ $0.key.name < key.name }) ?? true,
                let size = reader.size(atMost: SecretBytes.maximumItemSize),
                let nonce = reader.bytes(EncryptedFileFormat.nonceSize),
                let tag = reader.bytes(EncryptedFileFormat.tagSize)
            else { return nil }
            entries.append(Entry(key: key, size: size, nonce: nonce, tag: tag))
        }
        return reader.isAtEnd ? entries : nil
    }
}
#endif
