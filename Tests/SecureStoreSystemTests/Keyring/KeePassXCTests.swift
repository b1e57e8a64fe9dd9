// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import AuthTesting
import Foundation
import SecureStore
import Testing
import TestSupport

/// A second real provider, which behaves differently from GNOME's.
@Suite(.needsKeePassXC, .needsScriptedKeyring) struct KeePassXCTests {
    private let item = SecretBytes(text: "kept")

    @Test(arguments: SecureStoreConformance.checks)
    func `a keyring store passes every conformance check on KeePassXC`(check: SecureStoreCheck) async throws {
        try await PrivateKeePassXC.with { try await check.run($0.store()) }
    }

    @Test func `a read returns one of several duplicates, and a write leaves one that has a secret`() async throws {
        try await PrivateKeePassXC.with { keyring in
            let store = try keyring.store()
            for text in ["first", "second"] { try await keyring.addItem(text) }
            #expect(try await keyring.itemCount() == 2)
            #expect(try await ["first", "second"].contains(text(of: store.item(forKey: .session))))
            try await store.setItem(item, forKey: .session)
            #expect(try await keyring.itemCount() - keyring.itemCount(beginning: "removed by Sallyport ") == 1)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `an item with more attributes is neither read nor overwritten nor removed`() async throws {
        try await PrivateKeePassXC.with { keyring in
            let store = try keyring.store()
            try await keyring.addItem("theirs", adding: ["profile=other"])
            #expect(try await store.item(forKey: .session) == nil)
            try await store.setItem(item, forKey: .session)
            #expect(try await store.item(forKey: .session) == item)
            try await store.removeItem(forKey: .session)
            #expect(try await store.item(forKey: .session) == nil)
            let left = try await keyring.secretTool(["lookup", "profile", "other"])
            #expect(left.text == "theirs")
        }
    }

    @Test func `an item that needs confirmation is locked, never absent, and the user is not prompted`() async throws {
        try await PrivateKeePassXC.with(confirmingAccess: true) { keyring in
            try await keyring.addItem("theirs")
            let monitor = try await keyring.bus.monitor()
            let store = try keyring.store()
            for operation in StoreOperation.allCases {
                await #expect(throws: SecureStoreError(.locked), "\(operation)") {
                    try await operation.run(on: store, expecting: item)
                }
            }
            _ = try await keyring.bus.hasOwner(of: "com.example.sentinel")
            let traffic = try await monitor.read(until: "com.example.sentinel")
            await monitor.end()
            #expect(traffic.contains("member=SearchItems"))
            #expect(!traffic.contains("member=Unlock"))
        }
    }

    @Test func `every call on a locked database throws locked`() async throws {
        try await PrivateKeePassXC.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.lock()
            for store in try [store, keyring.store()] {
                for operation in StoreOperation.allCases {
                    await #expect(throws: SecureStoreError(.locked), "\(operation)") {
                        try await operation.run(on: store, expecting: item)
                    }
                }
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test visibly if KeePassXC is not installed.
    static var needsKeePassXC: Self {
        .enabled(if: PrivateKeePassXC.isAvailable, "needs keepassxc; Tests/run installs it")
    }
}

extension PrivateKeePassXC {
    private static let service = "com.example.keepassxc"

    func store(deadline: Duration = .seconds(60)) throws -> KeyringStore {
        KeyringStore(scope: try StoreScope(service: Self.service), deadline: deadline, busAddress: address)
    }

    /// Creates an item beside existing ones, by another program.
    func addItem(_ text: String, adding more: [String] = []) async throws {
        let attributes = ["application=sallyport", "service=\(Self.service)", "account=default", "key=session"]
        let made = try await Command.secretStorage(
            ["add", "made beside"] + attributes + more,
            environment: environment,
            input: Data(text.utf8)
        )
        try #require(made.exitCode == 0, "\(made.errorText)")
    }

    /// Returns the number of the store's items, including those with more attributes.
    func itemCount(beginning text: String = "") async throws -> Int {
        let found = try await secretTool(["search", "--all", "application", "sallyport", "service", Self.service])
        return found.text.components(separatedBy: "\nsecret = \(text)").count - 1
    }

    func secretTool(_ arguments: [String]) async throws -> Command.Output {
        try await Command("secret-tool", arguments, environment: environment).run()
    }
}

private func text(of item: SecretBytes?) -> String? {
    item.map { String(decoding: $0.unredacted, as: UTF8.self) }
}
#endif
