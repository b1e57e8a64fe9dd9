// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

/// The removals still to be made at older locations, kept beside the migrated item.
///
/// Holds names and hashes, and no value. Written as lines of words, like a ``StoreNote``:
///
///     sallyport-migration 1
///     copied settings <SHA-256 of the value, in hexadecimal>
///     discard older-service
struct MigrationMarker: Sendable, Equatable {
    /// The reason why a value is to be removed.
    enum Entry: Sendable, Equatable {
        /// The value was copied, and is removed only if it still has this hash.
        case copied(String)
        /// The value could not be removed with its session.
        ///
        /// It is removed whatever it is, and never copied.
        case discard
    }

    var entries: [StoreLocationName: Entry] = [:]

    private static let title = "sallyport-migration"
    private static let version = 1

    init() {}

    /// Returns whether a value is still to be removed, and so not to be copied.
    func names(_ value: SecretBytes, at location: StoreLocationName) -> Bool {
        switch entries[location] {
        case .copied(let hash): hash == Self.hash(value)
        case .discard: true
        case nil: false
        }
    }

    /// Returns a value's SHA-256, in hexadecimal.
    static func hash(_ value: SecretBytes) -> String {
        Hexadecimal.encode(value.sha256)
    }

    // MARK: Text

    /// The marker as the target stores it.
    var item: SecretBytes {
        let lines = entries.sorted { $0.key < $1.key }.map { location, entry in
            switch entry {
            case .copied(let hash): "copied \(location) \(hash)"
            case .discard: "discard \(location)"
            }
        }
        return SecretBytes((["\(Self.title) \(Self.version)"] + lines).joined(separator: "\n").utf8)
    }

    /// Reads a marker.
    ///
    /// - Parameter item: The stored marker.
    /// - Throws: ``SecureStoreError`` (`newerFormat`; `damaged` for any content that this type would not write).
    init(_ item: SecretBytes) throws(SecureStoreError) {
        let damaged = SecureStoreError(.damaged, detail: "the marker of a migration")
        let lines = String(decoding: item.unredacted, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: " ").map(String.init) }
        for words in try VersionedLines.body(of: lines, Self.title, Self.version, orThrow: damaged) {
            guard words.count > 1, let location = try? StoreLocationName(words[1]) else { throw damaged }
            switch (words[0], words.count) {
            case ("copied", 3) where words[2].utf8.count == 64: entries[location] = .copied(words[2])
            case ("discard", 2): entries[location] = .discard
            default: throw damaged
            }
        }
        guard self.item == item else { throw damaged }
    }
}
