// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

/// Changes that no store made: each is detected, and nothing is written to a changed file.
@Suite struct EncryptedFileDamageTests {
    private let key: StoreKey
    private let item = SecretBytes("new".utf8)

    init() throws {
        key = try StoreKey("second")
    }

    @Test func `every flipped bit is detected, and one inside an item damages only that item`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            let whole = try fixture.bytes()
            let contents = whole.count - items.map(\.item.count).reduce(0, +)
            for position in whole.indices {
                for bit in 0..<8 {
                    var bytes = whole
                    bytes[position] ^= 1 << bit
                    try fixture.put(bytes)
                    if position < contents {
                        let errors = codes(at: position, bit)
                        let found = [
                            await SecureStoreError.of { _ = try await store.item(forKey: key) },
                            await SecureStoreError.of { try await store.setItem(item, forKey: key) },
                        ]
                        #expect(errors.isSuperset(of: found), "bit \(bit) of byte \(position)")
                    } else {
                        var (hit, start) = (0, contents)
                        while position >= start + items[hit].item.count {
                            start += items[hit].item.count
                            hit += 1
                        }
                        try await expectOneDamaged(store, items, hit)
                    }
                    #expect(try fixture.bytes() == bytes)
                }
            }
        }
    }

    @Test func `a file that ends early at any byte is truncated`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            _ = try await fixture.writeThree(with: store)
            let whole = try fixture.bytes()
            for count in 0..<whole.count {
                try fixture.put(Array(whole.prefix(count)))
                try await expectUnreadable(store, ["truncated"], "\(count) bytes")
                #expect(try fixture.bytes().count == count)
            }
        }
    }

    @Test func `a file with extra bytes after its end is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            _ = try await fixture.writeThree(with: store)
            try fixture.put(try fixture.bytes() + [0])
            try await expectUnreadable(store, ["damaged length"], "a byte more")
        }
    }

    @Test func `a file above the size limit is damaged and is not read to its end`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            _ = try await fixture.writeThree(with: store)
            let handle = try FileHandle(forWritingTo: fixture.file)
            // The file takes no space, because it is one hole.
            try handle.truncate(atOffset: 1 << 40)
            try handle.close()
            try await expectUnreadable(store, ["damaged file too large"], "a terabyte")
        }
    }

    @Test func `a file in another format is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try fixture.put(Array("{\"accessToken\": \"in clear\"}".utf8))
            try await expectUnreadable(fixture.store(), ["damaged header"], "another file")
        }
    }

    @Test func `a file of a newer version throws newerFormat, whatever else it contains`() async throws {
        try await EncryptedFileFixture.with { fixture in
            for rest in [0, 1, 500] {
                try fixture.put(EncryptedFileFormat.magic + [2] + Array(repeating: 0xAA, count: rest))
                try await expectUnreadable(fixture.store(), ["newerFormat"], "version 2 and \(rest) bytes")
            }
        }
    }

    @Test func `a damaged item can be listed, replaced and removed`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            var bytes = try fixture.bytes()
            // Changes all of the third item and the last byte of the second.
            for position in bytes.indices.suffix(items[2].item.count + 1) { bytes[position] ^= 0xFF }
            try fixture.put(bytes)
            #expect(try await store.keys() == Set(items.map(\.key)))
            let replaced = await SecureStoreError.of {
                _ = try await store.replaceItem(forKey: key, ifEquals: items[1].item, with: item)
            }
            #expect(replaced == "damaged item")
            let removed = await SecureStoreError.of {
                _ = try await store.replaceItem(forKey: key, ifEquals: items[1].item, with: nil)
            }
            #expect(removed == "damaged item")
            #expect(try fixture.bytes() == bytes)
            try await store.setItem(item, forKey: key)
            #expect(try await store.item(forKey: key) == item)
            // A write of another item leaves a damaged item as it was.
            await #expect(throws: SecureStoreError(.damaged)) { try await store.item(forKey: items[2].key) }
            try await store.removeItem(forKey: items[2].key)
            #expect(try await store.keys() == [items[0].key, key])
            #expect(try await store.item(forKey: items[0].key) == items[0].item)
        }
    }

    @Test func `an older item in a newer file is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            let older = try fixture.bytes().suffix(items[2].item.count)
            try await store.setItem(SecretBytes("third it is".utf8.prefix(10)), forKey: items[2].key)
            try fixture.put(try fixture.bytes().dropLast(items[2].item.count) + older)
            try await expectOneDamaged(store, items, 2)
        }
    }

    @Test func `two items with swapped contents are both damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let keys = try ["a", "b"].map { try StoreKey($0) }
            for key in keys { try await store.setItem(SecretBytes("of \(key)".utf8), forKey: key) }
            let bytes = try fixture.bytes()
            try fixture.put(bytes.dropLast(8) + bytes.suffix(4) + bytes.suffix(8).prefix(4))
            for key in keys {
                await #expect(throws: SecureStoreError(.damaged)) { try await store.item(forKey: key) }
            }
        }
    }

    @Test func `a file with a missing or duplicated item is damaged even if its header is corrected`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            let whole = try fixture.bytes()
            let (header, size) = (try FileHeader(of: whole), items[2].item.count)
            for (contents, change) in [(whole.dropLast(size), -size), (whole + whole.suffix(size), size)] {
                let mended = FileHeader(
                    derivation: header.derivation,
                    check: header.check,
                    indexSize: header.indexSize,
                    contentSize: header.contentSize + change
                )
                try fixture.put(mended.encoded + contents.dropFirst(FileHeader.size))
                try await expectUnreadable(store, ["damaged index"], "\(change) bytes more")
            }
        }
    }

    @Test func `a newer item under an older index is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            let older = try fixture.bytes()
            try await store.setItem(SecretBytes("third it is".utf8.prefix(10)), forKey: items[2].key)
            let newer = try fixture.bytes()
            #expect(older.count == newer.count)
            try fixture.put(older.dropLast(items[2].item.count) + newer.suffix(items[2].item.count))
            try await expectOneDamaged(store, items, 2)
        }
    }

    @Test func `another scope's file with the same passphrase is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let other = StoreScope(service: fixture.scope.service, account: try StoreAccount("other"))
            _ = try await fixture.writeThree(with: fixture.store(scope: other))
            let name = EncryptedFileLocation.name(of: other)
            try FileManager.default.moveItem(at: fixture.folder.url.appendingPathComponent(name), to: fixture.file)
            try await expectUnreadable(fixture.store(), ["damaged index"], "another scope's file")
        }
    }

    @Test(arguments: [
        ScryptCost(logRounds: 0), ScryptCost(logRounds: 21), ScryptCost(logRounds: 255),
        ScryptCost(logRounds: 4, blockSize: 0), ScryptCost(logRounds: 4, blockSize: 17),
        ScryptCost(logRounds: 4, parallelism: 0), ScryptCost(logRounds: 4, parallelism: 5),
        // The first needs 2 GiB, although each parameter is within its bound. The second has an N that is not below
        // 2^(128 * r / 8).
        ScryptCost(logRounds: 20, blockSize: 16), ScryptCost(logRounds: 16, blockSize: 1),
    ])
    func `a file with a scrypt cost out of bounds is damaged`(cost: ScryptCost) async throws {
        try await EncryptedFileFixture.with { fixture in
            let header = FileHeader(
                derivation: KeyDerivation(cost: cost),
                check: Array(repeating: 1, count: FileKeys.checkSize),
                indexSize: 30,
                contentSize: 0
            )
            try fixture.put(header.encoded + Array(repeating: 2, count: 30))
            try await expectUnreadable(fixture.store(), ["damaged header"], "\(cost)")
        }
    }

    @Test(arguments: [ScryptCost.standard, ScryptCost(logRounds: 20), ScryptCost(logRounds: 1, blockSize: 1)])
    func `a cost within the bounds is allowed`(cost: ScryptCost) {
        #expect(cost.isBounded)
    }

    // MARK: Expectations

    /// Returns the errors allowed for a flipped bit before the items.
    private func codes(at position: Int, _ bit: Int) -> Set<String> {
        if position == EncryptedFileFormat.magic.count { return bit == 0 ? ["damaged header"] : ["newerFormat"] }
        return position < FileHeader.size ? ["damaged header"] : ["damaged index"]
    }

    private func expectUnreadable(_ store: EncryptedFileStore, _ errors: Set<String>, _ what: Comment) async throws {
        let found = [
            await SecureStoreError.of { _ = try await store.item(forKey: key) },
            await SecureStoreError.of { _ = try await store.keys() },
            await SecureStoreError.of { try await store.setItem(item, forKey: key) },
            await SecureStoreError.of { try await store.removeItem(forKey: key) },
            await SecureStoreError.of { try await store.removeAll() },
        ]
        #expect(Set(found).count == 1 && errors.isSuperset(of: found), what)
    }

    private func expectOneDamaged(
        _ store: EncryptedFileStore,
        _ items: [(key: StoreKey, item: SecretBytes)],
        _ hit: Int
    ) async throws {
        #expect(try await store.keys() == Set(items.map(\.key)))
        for (number, (key, item)) in items.enumerated() {
            if number == hit {
                #expect(await SecureStoreError.of { _ = try await store.item(forKey: key) } == "damaged item")
            } else {
                #expect(try await store.item(forKey: key) == item)
            }
        }
    }
}
#endif
