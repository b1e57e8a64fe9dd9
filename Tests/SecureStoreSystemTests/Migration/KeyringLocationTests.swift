// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore
@testable import SecureStoreTests

/// The items that older versions left in a real keyring, found by service and account.
@Suite(.needsKeyring) struct KeyringLocationTests {
    private static let service = "com.example.app"
    private static let accounts = ["refreshToken", "accessToken", "tokenExpiry"]

    private static func own(_ account: String) -> [String] {
        ["application", "sallyport", "service", service, "account", "default", "key", account]
    }
    private static func libsecret(_ account: String) -> [String] { ["service", service, "account", account] }
    private static func goKeyring(_ account: String) -> [String] { ["service", service, "username", account] }
    private static func python(_ account: String) -> [String] {
        ["application", "Python keyring library", "service", service, "username", account]
    }

    private static let forms: [@Sendable (String) -> [String]] = [own, libsecret, goKeyring, python]

    /// The locks' folder, the keyring and its older items.
    private struct Install {
        let keyring: PrivateKeyring
        let folder: TemporaryFolder

        static func with(_ body: (Install) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try await PrivateKeyring.with { try await body(Install(keyring: $0, folder: folder)) }
        }

        func store(_ attributes: [String], _ secret: String) async throws {
            let stored = try await keyring.secretTool(["store", "--label=x"] + attributes, input: secret)
            try #require(stored.exitCode == 0, "\(stored.errorText)")
        }

        /// The items of a form: the main one first.
        func items(_ form: Int) throws -> [LegacyItem] {
            try KeyringLocationTests.accounts.map { account in
                let words = KeyringLocationTests.forms[form](account)
                let pairs = stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
                return try .keyring(try target(), attributes: Dictionary(uniqueKeysWithValues: pairs))
            }
        }

        /// The values of a form's items.
        func values(_ form: Int) async throws -> [SecretBytes?] {
            var values: [SecretBytes?] = []
            for item in try items(form) { values.append(try await item.value()) }
            return values
        }

        func target() throws -> KeyringStore {
            KeyringStore(
                scope: try StoreScope(service: KeyringLocationTests.service),
                deadline: .seconds(60),
                busAddress: keyring.address
            )
        }

        func migrating() throws -> MigratingStore {
            let sources = try (0..<4).map { form in
                let items = try items(form)
                return MigratingStore.Source(items[0], with: Array(items[1...])) { value in
                    var bytes = value.unredacted
                    for item in items[1...] { bytes += try await item.value()?.unredacted ?? [] }
                    return SecretBytes(bytes)
                }
            }
            return try MigratingStore(try target(), migrating: .session, from: sources, locksIn: folder.url.path)
        }

        /// Expects that the keyring holds the session alone.
        func expectOnlySession() async throws {
            #expect(try await target().item(forKey: .session) != nil)
            let found = try await keyring.secretTool(["search", "--all", "service", KeyringLocationTests.service])
            let items = (found.text + found.errorText).split(separator: "\n").filter { $0.hasPrefix("[/") }
            #expect(items.count == 1)
        }
    }

    @Test(arguments: 0..<4) func `items in each form of attributes are migrated under the same service, and removed`(
        form: Int
    ) async throws {
        try await Install.with { install in
            for account in Self.accounts { try await install.store(Self.forms[form](account), "\(account)-value") }
            let values = try await install.values(form)
            #expect(values == Self.accounts.map { SecretBytes("\($0)-value") })
            let joined = SecretBytes(values.flatMap { $0?.unredacted ?? [] })
            #expect(try await install.migrating().item(forKey: .session) == joined)
            try await install.expectOnlySession()
        }
    }

    @Test(.enabled(if: Python.has("secretstorage"), "needs python3-secretstorage; Tests/run installs it"))
    func `items that a Python program wrote by service and account are migrated`() async throws {
        try await Install.with { install in
            for account in Self.accounts {
                let written = try await Command(
                    SupportFiles.path("python-secretstorage"),
                    ["write", "x", "service=\(Self.service)", "account=\(account)"],
                    environment: install.keyring.environment,
                    input: Data(account.utf8)
                ).run()
                try #require(written.exitCode == 0, "\(written.errorText)")
            }
            let item = try #require(try await install.migrating().item(forKey: .session))
            #expect(item == SecretBytes(Self.accounts.joined()))
            try await install.expectOnlySession()
        }
    }

    @Test func `an item with one more attribute is another program's and stays`() async throws {
        try await Install.with { install in
            try await install.store(Self.libsecret("refreshToken") + ["user", "x"], "another")
            #expect(try await install.migrating().item(forKey: .session) == nil)
            try await install.migrating().removeItem(forKey: .session)
            #expect(try await install.keyring.secretTool(["lookup"] + Self.libsecret("refreshToken")).text == "another")
        }
    }

    @Test func `a sign-out while the keyring is locked removes all older items once it is unlocked`() async throws {
        try await Install.with { install in
            for form in Self.forms {
                for account in Self.accounts { try await install.store(form(account), "\(account)-value") }
            }
            func store() throws -> PendingRemovals {
                PendingRemovals(try install.migrating(), notesIn: install.folder.url.path)
            }
            try await install.keyring.lock()
            try await store().removeItem(forKey: .session)
            #expect(try await store().item(forKey: .session) == nil)
            try await install.keyring.unlock()
            #expect(try await store().item(forKey: .session) == nil)
            let left = try await install.keyring.secretTool(["search", "--all", "service", Self.service])
            #expect((left.text + left.errorText).isEmpty)
        }
    }

    @Test func `a process killed at any step of a migration leaves the older items or the session`()
        async throws
    {
        try await Install.with { install in
            var step = 1
            var wasKilled = true
            while wasKilled {
                for account in Self.accounts { try await install.store(Self.libsecret(account), "\(account)-\(step)") }
                let values = try await install.values(1)
                let worker = try StoreWorkerProcess.start(
                    ["migrate", install.keyring.address, Self.service, install.folder.url.path, "\(step)"]
                )
                let code = await worker.waitUntilExit(timeout: .seconds(60))
                wasKilled = code != 0
                if wasKilled, try await install.target().item(forKey: .session) == nil {
                    #expect(try await install.values(1) == values)
                }
                let store = try install.migrating()
                let joined = SecretBytes(values.flatMap { $0?.unredacted ?? [] })
                #expect(try await store.item(forKey: .session) == joined)
                await store.finishCleanUp()
                try await install.expectOnlySession()
                try await install.target().removeItem(forKey: .session)
                step += 1
                try #require(step < 100)
            }
            #expect(step > 15)
        }
    }

    private static let invalidAttributes: [[String: String]] = [
        [:], ["": "a"], ["a": ""], ["a\0b": "a"], ["a": "a\0b"], ["xdg:schema": "a"], ["service": "a", "Title": "b"],
        ["a": String(repeating: "a", count: 1_025)],
        Dictionary(uniqueKeysWithValues: (0..<33).map { ("\($0)", "a") }),
    ]

    @Test(arguments: invalidAttributes)
    func `attributes that could name another item are rejected`(attributes: [String: String]) {
        #expect(throws: SecureStoreError(.invalidName)) {
            try LegacyItem.keyring(KeyringStore(service: "a"), attributes: attributes)
        }
    }

    @Test func `an item is found by exactly the given attributes`() async throws {
        try await Install.with { install in
            try await install.store(["vendor", "example", "token", "session"], "t")
            func value(_ attributes: [String: String]) async throws -> SecretBytes? {
                try await LegacyItem.keyring(try install.target(), attributes: attributes).value()
            }
            #expect(try await value(["vendor": "example", "token": "session"]) == SecretBytes("t"))
            #expect(try await value(["vendor": "example"]) == nil)
        }
    }
}
#endif
