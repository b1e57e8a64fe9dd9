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

        func locations() throws -> [LegacyLocation] {
            try LegacyLocation.keyring(
                services: [KeyringLocationTests.service],
                deadline: .seconds(60),
                busAddress: keyring.address
            )
        }

        func group(in location: LegacyLocation) throws -> LegacyItemGroup {
            let companions = try ["accessToken", "tokenExpiry"].map { (try StoreKey($0), try location.item($0)) }
            return LegacyItemGroup(
                try location.item("refreshToken"),
                with: Dictionary(uniqueKeysWithValues: companions)
            )
        }

        func target() throws -> KeyringStore {
            KeyringStore(
                service: try StoreService(KeyringLocationTests.service),
                deadline: .seconds(60),
                busAddress: keyring.address
            )
        }

        func migrating() throws -> MigratingStore {
            let sources = try locations().map { MigratingStore.Source(try group(in: $0)) }
            return try MigratingStore(try target(), migrating: .session, from: sources, locksIn: folder.url.path)
        }

        /// Expects that the keyring holds the session alone.
        func expectOnlySession() async throws {
            let found = try await keyring.secretTool(["search", "--all", "service", KeyringLocationTests.service])
            let items = (found.text + found.errorText).split(separator: "\n").filter { $0.hasPrefix("[/") }
            #expect(items.count == 1)
        }
    }

    @Test func `a location is named for its service and the form of its attributes`() throws {
        let names = try LegacyLocation.keyring(services: ["a", "b"], busAddress: "unix:path=/nowhere").map(\.name.name)
        #expect(names == ["a", "b"].flatMap { [$0, "\($0).libsecret", "\($0).go-keyring", "\($0).python"] })
        #expect(try LegacyLocation.system(services: ["a", "b"]).map(\.name.name) == names)
        #expect(throws: SecureStoreError(.invalidName)) { try LegacyLocation.system(services: ["a b"]) }
    }

    @Test(arguments: 0..<4) func `items in each form of attributes are migrated under the same service, and removed`(
        form: Int
    ) async throws {
        try await Install.with { install in
            for account in Self.accounts { try await install.store(Self.forms[form](account), "\(account)-value") }
            let location = try install.locations()[form]
            let value = try #require(try await install.group(in: location).item())
            let plan = try await install.migrating().plan().map(\.action)
            #expect(plan == (0..<4).map { $0 == form ? .migrate : .nothing })
            #expect(try await install.migrating().item(forKey: .session) == value)
            let values = try LegacyItemGroup.Values(value)
            #expect(values.main == SecretBytes("refreshToken-value"))
            #expect(values.companions.count == 2)
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
            #expect(try LegacyItemGroup.Values(item).main == SecretBytes("refreshToken"))
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
            func pinned() throws -> PinnedStore {
                try PinnedStore(
                    locations: [StoreLocation(.keyring, try install.migrating())],
                    initially: .keyring,
                    notesIn: install.folder.url.path
                )
            }
            try await install.keyring.lock()
            try await pinned().removeItem(forKey: .session)
            #expect(try await pinned().item(forKey: .session) == nil)
            try await install.keyring.unlock()
            #expect(try await pinned().item(forKey: .session) == nil)
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
                let value = try await install.group(in: install.locations()[1]).item()
                let worker = try StoreWorkerProcess.start(
                    ["migrate", install.keyring.address, Self.service, install.folder.url.path, "\(step)"]
                )
                let code = await worker.waitUntilExit(timeout: .seconds(60))
                wasKilled = code != 0
                if wasKilled, try await install.target().item(forKey: .session) == nil {
                    #expect(try await install.group(in: install.locations()[1]).item() == value)
                }
                let store = try install.migrating()
                #expect(try await store.item(forKey: .session) == value)
                await store.finishCleanUp()
                try await install.expectOnlySession()
                try await install.target().removeItem(forKey: .session)
                step += 1
                try #require(step < 100)
            }
            #expect(step > 20)
        }
    }

    private static let invalidAttributes: [[String: String]] = [
        [:], ["": "a"], ["a": ""], ["a\0b": "a"], ["a": "a\0b"], ["xdg:schema": "a"], ["service": "a", "Title": "b"],
        ["a": String(repeating: "a", count: 1_025)],
        Dictionary(uniqueKeysWithValues: (0..<33).map { ("\($0)", "a") }),
    ]

    @Test(arguments: invalidAttributes)
    func `attributes that could name another item are rejected`(attributes: [String: String]) {
        #expect(throws: SecureStoreError(.invalidName)) { try LegacyKeyringItem(.older, attributes: attributes) }
    }

    @Test func `an item is found by exactly the given attributes`() async throws {
        try await Install.with { install in
            try await install.store(["vendor", "umuve", "token", "session"], "t")
            let attributes = ["vendor": "umuve", "token": "session"]
            let item = try LegacyKeyringItem(.older, attributes, .seconds(60), bus: install.keyring.address)
            #expect(try await item.item() == SecretBytes("t"))
            let fewer = try LegacyKeyringItem(.older, ["vendor": "umuve"], .seconds(60), bus: install.keyring.address)
            #expect(try await fewer.item() == nil)
        }
    }
}
#endif
