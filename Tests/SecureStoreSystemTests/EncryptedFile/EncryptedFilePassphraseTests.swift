// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Testing

@testable import SecureStore

/// The effect of a wrong passphrase, and the change of a passphrase.
@Suite struct EncryptedFilePassphraseTests {
    private let key: StoreKey
    private let item = SecretBytes("kept".utf8)

    init() throws {
        key = try StoreKey("session")
    }

    @Test(arguments: ["a passphrase for test", "a passphrase for tests\n", "A passphrase for tests", " "])
    func `a store with a wrong passphrase reads, writes and removes nothing`(wrong: String) async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().setItem(item, forKey: key)
            let bytes = try fixture.bytes()
            let store = try fixture.store(wrong)
            try await expectWrong(store)
            await #expect(throws: SecureStoreError(.wrongPassphrase)) { try await store.probe() }
            await #expect(throws: SecureStoreError(.wrongPassphrase)) {
                try await store.changePassphrase(to: Passphrase("mine now"))
            }
            #expect(try fixture.bytes() == bytes)
            #expect(try await fixture.store().item(forKey: key) == item)
        }
    }

    @Test func `a file without items keeps its passphrase`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(item, forKey: key)
            try await store.removeAll()
            try await expectWrong(fixture.store("another"))
        }
    }

    @Test func `after a change only the new passphrase opens the items`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let (store, other) = (try fixture.store(), try fixture.store())
            let items = try await fixture.writeThree(with: store)
            #expect(try await other.item(forKey: items[0].key) == items[0].item)
            let before = try FileHeader(of: try fixture.bytes())
            try await store.changePassphrase(to: Passphrase("another one"))
            let after = try FileHeader(of: try fixture.bytes())
            #expect(before.derivation.salt != after.derivation.salt && before.check != after.check)
            // The first store was open before the change, the second is opened now.
            try await expectWrong(other)
            try await expectWrong(fixture.store())
            for store in [store, try fixture.store("another one")] {
                for (key, item) in items { #expect(try await store.item(forKey: key) == item) }
                try await store.setItem(items[0].item, forKey: items[0].key)
            }
        }
    }

    @Test func `an open store works again after the passphrase is changed back`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let (store, other) = (try fixture.store(), try fixture.store())
            try await store.setItem(item, forKey: key)
            #expect(try await other.item(forKey: key) == item)
            try await store.changePassphrase(to: Passphrase("another one"))
            try await expectWrong(other)
            try await store.changePassphrase(to: Passphrase(EncryptedFileFixture.passphrase))
            #expect(try await other.item(forKey: key) == item)
        }
    }

    @Test func `a passphrase change applies to other stores before the first item is written`() async throws {
        try await EncryptedFileFixture.with { fixture in
            try await fixture.store().changePassphrase(to: Passphrase("another one"))
            try await expectWrong(fixture.store())
            #expect(try await fixture.store("another one").keys().isEmpty)
        }
    }

    @Test func `a passphrase change fails if an item is damaged`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            let items = try await fixture.writeThree(with: store)
            var bytes = try fixture.bytes()
            bytes[bytes.count - 1] ^= 1
            try fixture.put(bytes)
            let new = try Passphrase("another one")
            #expect(await SecureStoreError.of { try await store.changePassphrase(to: new) } == "damaged item")
            #expect(try fixture.bytes() == bytes)
            #expect(try await store.item(forKey: items[0].key) == items[0].item)
        }
    }

    @Test func `a store creates the file again after it was deleted`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(item, forKey: key)
            try FileManager.default.removeItem(at: fixture.file)
            #expect(try await store.item(forKey: key) == nil)
            try await store.setItem(item, forKey: key)
            #expect(try await fixture.store().item(forKey: key) == item)
        }
    }

    private func expectWrong(_ store: EncryptedFileStore) async throws {
        let code = SecureStoreError(.wrongPassphrase)
        await #expect(throws: code) { try await store.item(forKey: key) }
        await #expect(throws: code) { try await store.keys() }
        await #expect(throws: code) { try await store.setItem(item, forKey: key) }
        await #expect(throws: code) { try await store.removeItem(forKey: key) }
        await #expect(throws: code) { try await store.replaceItem(forKey: key, ifEquals: item, with: nil) }
        await #expect(throws: code) { try await store.replaceItem(forKey: key, ifEquals: nil, with: item) }
        await #expect(throws: code) { try await store.removeAll() }
    }
}
#endif
