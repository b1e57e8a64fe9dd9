// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import Foundation
import Synchronization
import Testing

@testable import SecureStore

/// The effect of a wrong passphrase, and of another file in the place of an open one.
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
            #expect(try fixture.bytes() == bytes)
            #expect(try await fixture.store().item(forKey: key) == item)
        }
    }

    @Test func `a file without items keeps its passphrase`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(item, forKey: key)
            try await store.removeItem(forKey: key)
            try await expectWrong(fixture.store("another"))
        }
    }

    @Test func `an open store follows a file that another passphrase replaces, and its own`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            try await store.setItem(item, forKey: key)
            for (passphrase, isOwn) in [("another one", false), (EncryptedFileFixture.passphrase, true)] {
                let salt = try FileHeader(of: fixture.bytes()).derivation.salt
                try FileManager.default.removeItem(at: fixture.file)
                try await fixture.store(passphrase).setItem(item, forKey: key)
                #expect(try FileHeader(of: fixture.bytes()).derivation.salt != salt)
                if isOwn {
                    #expect(try await store.item(forKey: key) == item)
                } else {
                    try await expectWrong(store)
                }
            }
        }
    }

    @Test func `the passphrase is asked for once, when a file is first opened, and its error is the call's`()
        async throws
    {
        struct Fault: Error {}
        try await EncryptedFileFixture.with { fixture in
            let asked = Atomic(0)
            let passphrase = try Passphrase(EncryptedFileFixture.passphrase)
            let store = EncryptedFileStore(scope: fixture.scope, folder: fixture.path, deadline: .seconds(60)) {
                asked.add(1, ordering: .relaxed)
                return passphrase
            }
            #expect(try await store.item(forKey: key) == nil)
            #expect(asked.load(ordering: .relaxed) == 0)
            try await fixture.store().setItem(item, forKey: key)
            for _ in 0..<2 { #expect(try await store.item(forKey: key) == item) }
            #expect(asked.load(ordering: .relaxed) == 1)
            let failing = EncryptedFileStore(scope: fixture.scope, folder: fixture.path) { throw Fault() }
            await #expect(throws: Fault.self) { try await failing.item(forKey: key) }
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
        await #expect(throws: code) { try await store.setItem(item, forKey: key) }
        await #expect(throws: code) { try await store.removeItem(forKey: key) }
        await #expect(throws: code) { try await store.replaceItem(forKey: key, ifEquals: item, with: nil) }
        await #expect(throws: code) { try await store.replaceItem(forKey: key, ifEquals: nil, with: item) }
    }
}
#endif
