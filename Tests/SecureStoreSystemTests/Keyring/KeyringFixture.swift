// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

extension Trait where Self == ConditionTrait {
    /// Skips a test visibly if there is no daemon to test with.
    static var needsKeyring: Self {
        .enabled(
            if: PrivateKeyring.isAvailable,
            "needs gnome-keyring-daemon and dbus-daemon; Tests/run installs them"
        )
    }
}

extension StoreKey {
    static let session = StoreKey(trusted: "session")
}

extension SecretBytes {
    init(text: String) {
        self.init(text.utf8)
    }
}

extension PrivateKeyring {
    func store(deadline: Duration = .seconds(60)) throws -> KeyringStore {
        KeyringStore(scope: try StoreScope(service: "com.example.tests"), deadline: deadline, busAddress: address)
    }

    /// The arguments with which `secret-tool` finds the store's item for ``StoreKey/session``.
    static let attributes = [
        "application", "sallyport", "service", "com.example.tests", "account", "default", "key", "session",
    ]

    /// Returns the number of the store's items, including those with more attributes.
    func itemCount(service: String = "com.example.tests", key: String = "session") async throws -> Int {
        let attributes = ["application", "sallyport", "service", service, "account", "default", "key", key]
        let found = try await secretTool(["search", "--all"] + attributes)
        return found.text.components(separatedBy: "\nsecret = ").count - 1
    }

    /// Creates an item beside existing ones, as another process does that has not seen them.
    func addItem(_ text: String, deadline: CallDeadline = CallDeadline(in: .seconds(60))) throws {
        let bus = try SessionBus(address: address, deadline: deadline)
        let keyring = SecretService(session: try SecretSession(on: bus, before: deadline), deadline: deadline)
        let scope = try StoreScope(service: "com.example.tests")
        try keyring.createItem(
            ItemAttributes(scope, key: .session),
            SecretBytes(text: text),
            in: try #require(try keyring.defaultCollection())
        )
    }
}
#endif
