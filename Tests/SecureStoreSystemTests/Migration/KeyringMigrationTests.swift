// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore
@testable import SecureStoreTests

/// Migrations from items that real programs left in a real keyring or a real file, to a real keyring.
@Suite(.needsKeyring) struct KeyringMigrationTests {
    private let token = SecretBytes("header.payload.signature")

    private static let python = [
        "application", "Python keyring library", "service", "com.example.old", "username", "person",
    ]
    private static let goKeyring = ["service", "com.example.old", "username", "person"]

    /// Stores an item as its library would.
    private func store(_ attributes: [String], in keyring: PrivateKeyring) async throws {
        let arguments = ["store", "--label=Password for 'person' on 'com.example.old'"] + attributes
        #expect(try await keyring.secretTool(arguments, input: "header.payload.signature").exitCode == 0)
    }

    private func location(_ attributes: [String], in keyring: PrivateKeyring) throws -> LegacyItem {
        let pairs = stride(from: 0, to: attributes.count, by: 2).map { (attributes[$0], attributes[$0 + 1]) }
        let named = Dictionary(uniqueKeysWithValues: pairs)
        return try .keyring(try keyring.store(), attributes: named)
    }

    private func expectMigration(from location: LegacyItem, in keyring: PrivateKeyring) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func store() throws -> MigratingStore {
            try MigratingStore(
                try keyring.store(),
                migrating: .session,
                from: [.init(location)],
                locksIn: folder.url.path
            )
        }
        #expect(try await store().item(forKey: .session) == token)
        #expect(try await keyring.store().item(forKey: .session) == token)
        #expect(try await keyring.store().item(forKey: StoreKey("migrated-from.session")) == nil)
        #expect(try await location.value() == nil)
    }

    @Test(arguments: [python, goKeyring])
    func `an item of another program's library is migrated`(attributes: [String]) async throws {
        try await PrivateKeyring.with { keyring in
            try await store(attributes, in: keyring)
            try await expectMigration(from: location(attributes, in: keyring), in: keyring)
            #expect(try await keyring.secretTool(["lookup"] + attributes).text == "")
        }
    }

    @Test func `an item written by Python's keyring library is migrated, and the library no longer finds it`()
        async throws
    {
        guard Python.has("keyring", "secretstorage") else {
            try Test.cancel("needs Python's keyring library (python3-keyring, python3-secretstorage)")
        }
        try await PrivateKeyring.with { keyring in
            func run(_ call: String) async throws -> String {
                let script = """
                    import keyring
                    from keyring.backends.SecretService import Keyring
                    keyring.set_keyring(Keyring())
                    print(keyring.\(call))
                    """
                let output = try await Command(Python.path, ["-c", script], environment: keyring.environment).run()
                #expect(output.exitCode == 0, "\(output.errorText)")
                return output.text
            }
            let names = "'com.example.old', 'person'"
            _ = try await run("set_password(\(names), 'header.payload.signature')")
            #expect(try await run("get_password(\(names))") == "header.payload.signature\n")
            try await expectMigration(from: location(Self.python, in: keyring), in: keyring)
            #expect(try await run("get_password(\(names))") == "None\n")
        }
    }

    @Test func `the items of the two libraries are distinguished, and one with more attributes does not match`()
        async throws
    {
        try await PrivateKeyring.with { keyring in
            // The order matters: the keyring considers the item with more attributes a match, and would replace it.
            try await store(Self.goKeyring, in: keyring)
            #expect(try await location(Self.python, in: keyring).value() == nil)
            try await store(Self.python, in: keyring)
            try await location(Self.goKeyring, in: keyring).remove()
            #expect(try await location(Self.goKeyring, in: keyring).value() == nil)
            #expect(try await location(Self.python, in: keyring).value() == token)
        }
    }

    @Test func `a read or removal of another program's item throws locked while the keyring is locked`() async throws {
        try await PrivateKeyring.with { keyring in
            try await store(Self.python, in: keyring)
            let location = try location(Self.python, in: keyring)
            try await keyring.lock()
            await #expect(throws: SecureStoreError(.locked)) { try await location.value() }
            await #expect(throws: SecureStoreError(.locked)) { try await location.remove() }
        }
    }

    @Test(arguments: ["", "a\0b", String(repeating: "a", count: 1_025)])
    func `an invalid attribute is rejected`(text: String) {
        let invalid = SecureStoreError(.invalidName)
        #expect(throws: invalid) { try LegacyItem.keyring(KeyringStore(service: "a"), attributes: ["service": text]) }
        #expect(throws: invalid) {
            try LegacyItem.keyring(KeyringStore(service: "a"), attributes: ["service": "a", "username": text])
        }
    }

    @Test func `an item under an older service name is migrated`() async throws {
        try await PrivateKeyring.with { keyring in
            let scope = try StoreScope(service: "com.example.customer")
            let older = KeyringStore(scope: scope, deadline: .seconds(60), busAddress: keyring.address)
            try await older.setItem(token, forKey: .session)
            try await expectMigration(from: .stored(in: older, forKey: .session), in: keyring)
        }
    }

    @Test func `a value in plain settings is migrated to the keyring, and no file contains it afterwards`()
        async throws
    {
        try await PrivateKeyring.with { keyring in
            let file = keyring.home.appendingPathComponent(".config/settings.json")
            try Data(#"{"theme": "dark", "authToken": "header.payload.signature"}"#.utf8).write(to: file)
            #expect(keyring.files(containing: Data("payload.signature".utf8)).count == 1)
            try await expectMigration(from: .settings(path: file.path), in: keyring)
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == #"{"theme":"dark"}"#)
            #expect(keyring.files(containing: Data("payload.signature".utf8)) == [])
        }
    }
}
#endif
