// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The layout of an encrypted file, version 1.
///
/// A header of 112 bytes (``FileHeader``), and a box of ChaCha20-Poly1305 ([RFC
/// 8439](https://www.rfc-editor.org/rfc/rfc8439#section-2.8)) with the items. The article
/// <doc:ReadingTheEncryptedFileFormat> has the layout byte by byte, and the threats that it protects from.
enum EncryptedFileFormat {
    static let magic = Array("SALLYENC".utf8)
    static let version: UInt8 = 1
    static let saltSize = 32
    static let maximumItems = 256
    static let maximumSize = 16 << 20
    static let nonceSize = 12
    /// What a box has beside its ciphertext.
    static let boxOverhead = nonceSize + 16

    /// Returns the bytes of a file.
    ///
    /// - Throws: ``SecureStoreError`` (`full` if there are too many items or bytes); errors of swift-crypto.
    static func seal(
        _ items: [StoreKey: SecretBytes],
        _ derivation: KeyDerivation,
        _ keys: FileKeys,
        of scope: StoreScope
    ) throws -> [UInt8] {
        guard items.count <= maximumItems else { throw SecureStoreError(.full, detail: "\(maximumItems) items") }
        let size = items.reduce(0) { $0 + 5 + $1.key.name.utf8.count + $1.value.count }
        let header = FileHeader(derivation: derivation, check: keys.check, boxSize: size + boxOverhead)
        guard header.fileSize <= maximumSize else { throw SecureStoreError(.full, detail: "\(maximumSize) bytes") }
        var plain: [UInt8] = []
        // Before the first item: an array that grows leaves copies behind.
        plain.reserveCapacity(size)
        defer { Wiping.wipe(&plain) }
        for (key, item) in items.sorted(by: { $0.key.name < $1.key.name }) {
            plain.append(UInt8(key.name.utf8.count))
            plain += key.name.utf8
            plain += UInt32(item.count).bigEndianBytes
            // Safe: the buffer is read only within the call that lends it.
            unsafe item.withUnsafeBytes { unsafe plain.append(contentsOf: $0) }
        }
        // `seal` chooses a random nonce.
        let box = try ChaChaPoly.seal(plain, using: keys.content, authenticating: header.associatedData(of: scope))
        return header.encoded + box.combined
    }

    /// Opens the box of a file, which has the length that its header says.
    ///
    /// - Throws: ``SecureStoreError`` (`damaged`).
    static func open(
        _ file: [UInt8],
        _ header: FileHeader,
        _ keys: FileKeys,
        of scope: StoreScope
    ) throws(SecureStoreError) -> [StoreKey: SecretBytes] {
        // Every error of swift-crypto means the same here: these are not the bytes that were sealed.
        guard
            let box = try? ChaChaPoly.SealedBox(combined: file[FileHeader.size...]),
            var plain = try? ChaChaPoly.open(box, using: keys.content, authenticating: header.associatedData(of: scope))
        else { throw SecureStoreError(.damaged, detail: "box") }
        defer { plain.resetBytes(in: plain.startIndex..<plain.endIndex) }
        guard let items = items(in: plain) else { throw SecureStoreError(.damaged, detail: "box") }
        return items
    }

    /// Returns nil unless this library would write exactly these bytes.
    private static func items(in plain: Data) -> [StoreKey: SecretBytes]? {
        var items: [StoreKey: SecretBytes] = [:]
        var (last, position) = ("", plain.startIndex)
        while position < plain.endIndex {
            let name = plain[(position + 1)...].prefix(Int(plain[position]))
            position = name.endIndex + 4
            guard position <= plain.endIndex, let key = try? StoreKey(String(decoding: name, as: UTF8.self)),
                last < key.name, items.count < maximumItems
            else { return nil }
            let size = Int(UInt32(bigEndianBytes: plain[name.endIndex..<position]))
            guard size <= SecretBytes.maximumItemSize, size <= plain.endIndex - position else { return nil }
            items[key] = SecretBytes(plain[position..<(position + size)])
            (last, position) = (key.name, position + size)
        }
        return items
    }
}

/// The first bytes of an encrypted file.
struct FileHeader: Sendable, Equatable {
    static let size = checksummedSize + SHA256.byteCount
    fileprivate static let checksummedSize = 80

    let derivation: KeyDerivation
    /// The check value, derived with the keys: a wrong passphrase or key gives another value.
    let check: [UInt8]
    let boxSize: Int
}

extension FileHeader {
    /// Reads the header of a file, which is not trusted, and checks the file's length.
    ///
    /// - Throws: ``SecureStoreError`` (`newerFormat`, `damaged`).
    init(of file: [UInt8]) throws(SecureStoreError) {
        let magic = EncryptedFileFormat.magic
        guard file.prefix(magic.count).elementsEqual(magic.prefix(file.count)) else { throw Self.damage }
        guard file.count > magic.count else { throw Self.incomplete }
        // Checked before the length and checksum: a newer format may define both differently.
        let version = file[magic.count]
        guard version <= EncryptedFileFormat.version else { throw SecureStoreError(.newerFormat) }
        guard version == EncryptedFileFormat.version else { throw Self.damage }
        guard file.count >= Self.size else { throw Self.incomplete }
        let checksum = SHA256.hash(data: file[..<Self.checksummedSize])
        guard checksum.elementsEqual(file[Self.checksummedSize..<Self.size]) else { throw Self.damage }
        let cost = file[9..<12] == [0, 0, 0] ? nil : ScryptCost(file[9], file[10], file[11])
        derivation = KeyDerivation(cost: cost, salt: Array(file[12..<44]))
        check = Array(file[44..<76])
        boxSize = Int(UInt32(bigEndianBytes: file[76..<80]))
        // Checked before scrypt runs: an attacker who wrote the file may try to exhaust the memory.
        guard cost?.isBounded ?? true, boxSize >= EncryptedFileFormat.boxOverhead,
            fileSize <= EncryptedFileFormat.maximumSize
        else { throw Self.damage }
        guard file.count >= fileSize else { throw Self.incomplete }
        guard file.count == fileSize else { throw SecureStoreError(.damaged, detail: "length") }
    }

    var fileSize: Int { Self.size + boxSize }

    var encoded: [UInt8] {
        var bytes = EncryptedFileFormat.magic
        bytes.append(EncryptedFileFormat.version)
        bytes += derivation.cost.map { cost in [cost.logRounds, cost.blockSize, cost.parallelism] } ?? [0, 0, 0]
        bytes += derivation.salt
        bytes += check
        bytes += UInt32(boxSize).bigEndianBytes
        return bytes + SHA256.hash(data: bytes)
    }

    /// Each part after its length, so that two different lists never give the same bytes.
    func associatedData(of scope: StoreScope) -> [UInt8] {
        [encoded, Array(scope.service.utf8), Array(scope.account.utf8)].flatMap {
            UInt16($0.count).bigEndianBytes + $0
        }
    }

    private static var damage: SecureStoreError { SecureStoreError(.damaged, detail: "header") }
    private static var incomplete: SecureStoreError { SecureStoreError(.damaged, detail: "incomplete") }
}

/// How a file's keys are derived: from a passphrase with scrypt, or from a key.
struct KeyDerivation: Sendable, Hashable {
    /// The cost of scrypt; nil if the file was made under a key.
    let cost: ScryptCost?
    var salt = RandomBytes.make(EncryptedFileFormat.saltSize)
}

/// The cost parameters of scrypt, which set the work for one guess at a passphrase.
///
/// [RFC 7914, section 2](https://www.rfc-editor.org/rfc/rfc7914#section-2).
package struct ScryptCost: Sendable, Hashable {
    /// The base-2 logarithm of N, the number of rounds and of memory blocks.
    let logRounds: UInt8
    /// The block size r, in units of 128 bytes.
    let blockSize: UInt8
    /// The parallelization parameter p.
    let parallelism: UInt8

    /// Creates a cost, which may be out of bounds.
    package init(_ logRounds: UInt8, _ blockSize: UInt8 = 8, _ parallelism: UInt8 = 1) {
        (self.logRounds, self.blockSize, self.parallelism) = (logRounds, blockSize, parallelism)
    }

    /// The cost of new files: 128 MiB of memory and some tenths of a second.
    package static let standard = ScryptCost(17)

    private static let maximumMemory = 1 << 30

    /// Whether the cost is within the limits for a file, whose content is not trusted.
    ///
    /// swift-crypto ignores the memory limit that it takes as an argument, so this check is the only limit.
    var isBounded: Bool {
        guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...4).contains(parallelism) else {
            return false
        }
        // "N must be [...] less than 2^(128 * r / 8)."
        return Int(logRounds) < 16 * Int(blockSize) && (128 * Int(blockSize)) << Int(logRounds) <= Self.maximumMemory
    }
}

extension FixedWidthInteger {
    /// The number's bytes, most significant first.
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    fileprivate init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }
}
#endif
