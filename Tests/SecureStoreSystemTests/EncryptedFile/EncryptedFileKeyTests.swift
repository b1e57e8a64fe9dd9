// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Testing

@testable import SecureStore

/// Files under a key instead of a passphrase.
@Suite struct EncryptedFileKeyTests {
    private let key: StoreKey
    private let item = SecretBytes("kept".utf8)

    init() throws {
        key = try StoreKey("session")
    }

    @Test func `a file under a key is opened by this key alone, and says so`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let (own, other) = (try EncryptedFileFixture.newKey(), try EncryptedFileFixture.newKey())
            try await fixture.store(key: own).setItem(item, forKey: key)
            let bytes = try fixture.bytes()
            #expect(try FileHeader(of: bytes).derivation.cost == nil)
            #expect(try await fixture.store(key: own).item(forKey: key) == item)
            let stores = [fixture.store(key: other), try fixture.store()]
            for (store, noun) in zip(stores, ["key", "passphrase (the file was made under a key)"]) {
                try await expectWrong(store, noun)
            }
            #expect(try fixture.bytes() == bytes)
        }
    }

    @Test func `a file under a passphrase is not opened by a key`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let key = try EncryptedFileFixture.newKey()
            try await expectWrong(fixture.store(key: key), "key (the file was made under a passphrase)")
        }
    }

    @Test func `a header that claims a key in the place of a passphrase opens nothing`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let bytes = try fixture.bytes()
            let header = try FileHeader(of: bytes)
            let claimed = FileHeader(
                derivation: KeyDerivation(cost: nil, salt: header.derivation.salt),
                check: header.check,
                boxSize: header.boxSize
            )
            try fixture.put(claimed.encoded + bytes.dropFirst(FileHeader.size))
            try await expectWrong(fixture.store(), "passphrase (the file was made under a key)")
            try await expectWrong(fixture.store(key: try EncryptedFileFixture.newKey()), "key")
        }
    }

    @Test func `two files under one key have different salts, keys and check values`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let secret = try EncryptedFileFixture.newKey()
            var headers: [FileHeader] = []
            for _ in 0..<2 {
                try await fixture.store(key: secret).setItem(item, forKey: key)
                headers.append(try FileHeader(of: fixture.bytes()))
                try FileManager.default.removeItem(at: fixture.file)
            }
            #expect(headers[0].derivation.salt != headers[1].derivation.salt && headers[0].check != headers[1].check)
        }
    }

    private func expectWrong(_ store: EncryptedFileStore, _ noun: String) async throws {
        for found in [
            await SecureStoreError.of { _ = try await store.item(forKey: key) },
            await SecureStoreError.of { try await store.setItem(item, forKey: key) },
            await SecureStoreError.of { try await store.removeItem(forKey: key) },
        ] { #expect(found == "wrongPassphrase \(noun)") }
    }
}
#endif
