// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Crypto
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

    @Test func `every flipped bit is detected`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            _ = try await fixture.writeThree(with: store)
            let whole = try fixture.bytes()
            for position in whole.indices {
                for bit in 0..<8 {
                    var bytes = whole
                    bytes[position] ^= 1 << bit
                    try fixture.put(bytes)
                    let found = [
                        await SecureStoreError.of { _ = try await store.item(forKey: key) },
                        await SecureStoreError.of { try await store.setItem(item, forKey: key) },
                    ]
                    #expect(codes(at: position, bit).isSuperset(of: found), "bit \(bit) of byte \(position)")
                    #expect(try fixture.bytes() == bytes)
                }
            }
        }
    }

    @Test func `a file that ends early at any byte is reported as incomplete`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            _ = try await fixture.writeThree(with: store)
            let whole = try fixture.bytes()
            for count in 0..<whole.count {
                try fixture.put(Array(whole.prefix(count)))
                try await expectUnreadable(store, ["damaged incomplete"], "\(count) bytes")
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

    @Test func `a file that is put together from an older and a newer one is damaged, wherever it is cut`()
        async throws
    {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            let older = try fixture.bytes()
            try await store.setItem(SecretBytes("third it is".utf8.prefix(10)), forKey: items[2].key)
            let newer = try fixture.bytes()
            #expect(older.count == newer.count && older.prefix(FileHeader.size) == newer.prefix(FileHeader.size))
            for cut in (FileHeader.size + 1)..<older.count {
                for (start, end) in [(older, newer), (newer, older)] {
                    let mixed = Array(start.prefix(cut) + end.dropFirst(cut))
                    // Bytes that happen to be equal make no mixture.
                    if mixed == older || mixed == newer { continue }
                    try fixture.put(mixed)
                    let found = await SecureStoreError.of { _ = try await store.item(forKey: key) }
                    #expect(found == "damaged box", "cut at \(cut)")
                }
            }
        }
    }

    @Test func `a file with missing or duplicated bytes is damaged even if its header is corrected`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            let whole = try fixture.bytes()
            let (header, size) = (try FileHeader(of: whole), items[2].item.count)
            for (contents, change) in [(whole.dropLast(size), -size), (whole + whole.suffix(size), size)] {
                let mended = FileHeader(
                    derivation: header.derivation,
                    check: header.check,
                    boxSize: header.boxSize + change
                )
                try fixture.put(mended.encoded + contents.dropFirst(FileHeader.size))
                try await expectUnreadable(store, ["damaged box"], "\(change) bytes more")
            }
        }
    }

    @Test(
        arguments: [
            // A name that is empty, not valid, or cut off; a size that is cut off, too large, or beyond the end.
            [0, 0, 0, 0, 0], [1, 0x20, 0, 0, 0, 0], [2, 0x61], [1, 0x61, 0, 0], [1, 0x61, 0, 4, 0, 1],
            [1, 0x61, 0, 0, 0, 2, 7], [1, 0x61, 0xFF, 0xFF, 0xFF, 0xFF],
            // Two items of one name, and two in the wrong order.
            [1, 0x61, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0], [1, 0x62, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `a box that this library would not write is damaged`(plain: [UInt8]) async throws {
        try await EncryptedFileFixture.with { fixture in
            let (key, derivation) = (try EncryptedFileFixture.newKey(), KeyDerivation(cost: nil))
            let keys = FileKeys(key, salt: derivation.salt)
            let size = plain.count + EncryptedFileFormat.boxOverhead
            let header = FileHeader(derivation: derivation, check: keys.check, boxSize: size)
            let data = header.associatedData(of: fixture.scope)
            let box = try ChaChaPoly.seal(plain, using: keys.content, authenticating: data)
            try fixture.put(header.encoded + box.combined)
            try await expectUnreadable(fixture.store(key: key), ["damaged box"], "\(plain)")
        }
    }

    @Test func `another scope's file with the same passphrase is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let other = try StoreScope(service: fixture.scope.service, account: "other")
            _ = try await fixture.writeThree(with: fixture.store(scope: other))
            let name = EncryptedFile.name(of: other)
            try FileManager.default.moveItem(at: fixture.folder.url.appendingPathComponent(name), to: fixture.file)
            try await expectUnreadable(fixture.store(), ["damaged box"], "another scope's file")
        }
    }

    @Test(arguments: [
        ScryptCost(0), ScryptCost(21), ScryptCost(255), ScryptCost(4, 0), ScryptCost(4, 17), ScryptCost(4, 8, 0),
        ScryptCost(4, 8, 5), ScryptCost(0, 0, 1), ScryptCost(1, 0, 0),
        // The first needs 2 GiB, although each parameter is within its bound. The second has an N that is not below
        // 2^(128 * r / 8).
        ScryptCost(20, 16), ScryptCost(16, 1),
    ])
    func `a file with a scrypt cost out of bounds is damaged`(cost: ScryptCost) async throws {
        try await EncryptedFileFixture.with { fixture in
            let header = FileHeader(
                derivation: KeyDerivation(cost: cost),
                check: Array(repeating: 1, count: 32),
                boxSize: 30
            )
            try fixture.put(header.encoded + Array(repeating: 2, count: 30))
            try await expectUnreadable(fixture.store(), ["damaged header"], "\(cost)")
        }
    }

    @Test(arguments: [ScryptCost.standard, ScryptCost(20), ScryptCost(1, 1)])
    func `a cost within the bounds is allowed`(cost: ScryptCost) {
        #expect(cost.isBounded)
    }

    // MARK: Expectations

    /// Returns the errors allowed for a flipped bit.
    private func codes(at position: Int, _ bit: Int) -> Set<String> {
        if position == EncryptedFileFormat.magic.count { return bit == 0 ? ["damaged header"] : ["newerFormat"] }
        return position < FileHeader.size ? ["damaged header"] : ["damaged box"]
    }

    private func expectUnreadable(_ store: EncryptedFileStore, _ errors: Set<String>, _ what: Comment) async throws {
        let found = [
            await SecureStoreError.of { _ = try await store.item(forKey: key) },
            await SecureStoreError.of { try await store.setItem(item, forKey: key) },
            await SecureStoreError.of { try await store.removeItem(forKey: key) },
            await SecureStoreError.of { _ = try await store.replaceItem(forKey: key, ifEquals: nil, with: item) },
        ]
        #expect(Set(found).count == 1 && errors.isSuperset(of: found), what)
    }
}
#endif
