// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && canImport(Glibc)
import AuthCore
import AuthTesting
import SecureStore
import Testing

@Suite struct EncryptedFileConformanceTests {
    @Test(arguments: SecureStoreConformance.checks)
    func `an encrypted file passes every conformance check`(check: SecureStoreCheck) async throws {
        try await EncryptedFileFixture.with { try await check.run($0.store()) }
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `an encrypted file under a key passes every conformance check`(check: SecureStoreCheck) async throws {
        let key = try EncryptedFileFixture.newKey()
        try await EncryptedFileFixture.with { try await check.run($0.store(key: key)) }
    }

    @Test func `an encrypted file reports its protection as encryptedFile`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let store = try fixture.store()
            #expect(store.protection == .encryptedFile)
        }
    }

    @Test func `a store reads the items that another store wrote`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let items = try await fixture.writeThree(with: fixture.store())
            let other = try fixture.store()
            for (key, item) in items { #expect(try await other.item(forKey: key) == item) }
        }
    }

    @Test func `a file with the standard scrypt cost opens within the deadline`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let (folder, key) = (fixture.path, try StoreKey("session"))
            let passphrase = try Passphrase(EncryptedFileFixture.passphrase)
            for _ in 0..<2 {
                let store = EncryptedFileStore(scope: fixture.scope, folder: folder, deadline: .seconds(60)) {
                    passphrase
                }
                try await store.probe()
                #expect(try await store.item(forKey: key) == nil)
            }
            #expect(try fixture.bytes()[9..<12] == [17, 8, 1])
        }
    }

    @Test func `each account of a service has its own file`() async throws {
        try await EncryptedFileFixture.with { fixture in
            let key = try StoreKey("session")
            let work = try StoreScope(service: fixture.scope.service, account: "work")
            try await fixture.store().setItem(SecretBytes("home".utf8), forKey: key)
            try await fixture.store(scope: work).setItem(SecretBytes("work".utf8), forKey: key)
            #expect(try await fixture.store().item(forKey: key) == SecretBytes("home".utf8))
            #expect(try await fixture.store(scope: work).item(forKey: key) == SecretBytes("work".utf8))
        }
    }
}
#endif
