// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

@Suite(.needsKeyring) struct KeyringItemTests {
    @Test func `secret-tool finds an item by its documented attributes until the item is removed`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(SecretBytes(text: "readable"), forKey: .session)
            #expect(try await keyring.secretTool(["lookup"] + PrivateKeyring.attributes).text == "readable")
            let all = ["search", "--all", "application", "sallyport"]
            let listed = try await keyring.secretTool(all)
            #expect(listed.text.contains("label = Sallyport: com.example.tests (default)"))
            try await store.removeItem(forKey: .session)
            let left = try await keyring.secretTool(all)
            #expect(left.text == "" && left.errorText == "")
        }
    }

    @Test func `an item created by secret-tool with the same attributes can be read, written and removed`()
        async throws
    {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            let arguments = ["store", "--label=x"] + PrivateKeyring.attributes
            #expect(try await keyring.secretTool(arguments, input: "theirs").exitCode == 0)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "theirs"))
            try await store.setItem(SecretBytes(text: "ours"), forKey: .session)
            #expect(try await keyring.itemCount() == 1)
            try await store.removeItem(forKey: .session)
            #expect(try await keyring.itemCount() == 0)
        }
    }

    @Test func `an item with more attributes is neither read nor overwritten nor removed`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            let theirs = PrivateKeyring.attributes + ["profile", "other"]
            _ = try await keyring.secretTool(["store", "--label=x"] + theirs, input: "theirs")
            #expect(try await store.item(forKey: .session) == nil)
            try await store.setItem(SecretBytes(text: "ours"), forKey: .session)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "ours"))
            #expect(try await keyring.secretTool(["lookup"] + theirs).text == "theirs")
            try await store.removeItem(forKey: .session)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: SecretBytes(text: "theirs"), with: nil))
            #expect(try await keyring.secretTool(["lookup"] + theirs).text == "theirs")
        }
    }

    @Test func `a probe does not change an app's item with the key probe`() async throws {
        try await PrivateKeyring.with { keyring in
            let (store, key) = (try keyring.store(), try StoreKey("probe"))
            try await store.setItem(SecretBytes(text: "the app's"), forKey: key)
            try await store.probe()
            #expect(try await store.item(forKey: key) == SecretBytes(text: "the app's"))
            #expect(try await keyring.itemCount(key: "~probe") == 0)
        }
    }

    @Test func `a read returns the newest of several duplicates, and a write leaves one`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            for text in ["first", "second", "third"] { try keyring.addItem(text) }
            #expect(try await keyring.itemCount() == 3)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "third"))
            try await store.setItem(SecretBytes(text: "fourth"), forKey: .session)
            #expect(try await keyring.itemCount() == 1)
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "fourth"))
        }
    }

    @Test func `a removal also removes duplicates`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            for text in ["older", "newer"] { try keyring.addItem(text) }
            #expect(try await !store.replaceItem(forKey: .session, ifEquals: SecretBytes(text: "older"), with: nil))
            #expect(try await keyring.itemCount() == 2)
            #expect(try await store.replaceItem(forKey: .session, ifEquals: SecretBytes(text: "newer"), with: nil))
            #expect(try await keyring.itemCount() == 0)
        }
    }

    @Test func `accounts and services do not see each other's items`() async throws {
        try await PrivateKeyring.with { keyring in
            let names = ["com.example.one", "com.example.two"]
            let stores = try names.flatMap { name in
                try ["default", "work"].map { account in
                    KeyringStore(
                        scope: try StoreScope(service: name, account: account),
                        busAddress: keyring.address
                    )
                }
            }
            for (number, store) in stores.enumerated() {
                #expect(try await store.item(forKey: .session) == nil)
                try await store.setItem(SecretBytes(text: "\(number)"), forKey: .session)
            }
            for (number, store) in stores.enumerated() {
                #expect(try await store.item(forKey: .session) == SecretBytes(text: "\(number)"))
            }
        }
    }

    @Test func `an item survives a restart of the daemon, and no file contains it in plaintext`() async throws {
        try await PrivateKeyring.with { keyring in
            let text = "a secret that no file may show"
            try await keyring.store().setItem(SecretBytes(text: text), forKey: .session)
            let file = keyring.home.appendingPathComponent(".local/share/keyrings/login.keyring")
            #expect(try Data(contentsOf: file).starts(with: Data("GnomeKeyring".utf8)))
            #expect(keyring.files(containing: Data(text.utf8)) == [])
            #expect(keyring.files(containing: Data("GnomeKeyring".utf8)).contains { $0.hasSuffix("login.keyring") })
            try await keyring.kill()
            try await keyring.start(.unlocked)
            #expect(try await keyring.store().item(forKey: .session) == SecretBytes(text: text))
        }
    }
}
#endif
