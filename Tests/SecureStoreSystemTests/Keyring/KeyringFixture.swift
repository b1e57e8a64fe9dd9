#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

extension Trait where Self == ConditionTrait {
    /// Skips visibly where there is no daemon to test against.
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
        KeyringStore(service: try StoreService("com.example.tests"), deadline: deadline, busAddress: address)
    }

    /// What `secret-tool` is told to find the store's item under ``StoreKey/session``.
    static let attributes = [
        "application", "sallyport", "service", "com.example.tests", "account", "default", "key", "session",
    ]

    /// How many items of the store there are, supersets included.
    func itemCount(service: String = "com.example.tests", key: String = "session") async throws -> Int {
        let attributes = ["application", "sallyport", "service", service, "account", "default", "key", key]
        let found = try await secretTool(["search", "--all"] + attributes)
        return found.text.components(separatedBy: "\nsecret = ").count - 1
    }

    /// Makes an item beside those that are there, as another process does that has seen none yet.
    func addItem(_ text: String, deadline: CallDeadline = CallDeadline(in: .seconds(60))) throws {
        let bus = try SessionBus(address: address, deadline: deadline)
        let keyring = try SecretService(on: bus, before: deadline)
        let service = try StoreService("com.example.tests")
        try keyring.createItem(
            in: try #require(try keyring.defaultCollection(before: deadline)),
            label: "made beside",
            attributes: ItemAttributes(StoreScope(service: service), key: .session).query,
            secret: Array(text.utf8),
            before: deadline
        )
    }
}
#endif
