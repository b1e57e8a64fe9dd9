// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

extension Trait where Self == ConditionTrait {
    /// Skips a test visibly if the scripted keyring can't run.
    static var needsScriptedKeyring: Self {
        .enabled(
            if: ScriptedKeyring.isAvailable,
            "needs dbus-daemon and python3-secretstorage; Tests/run installs them"
        )
    }
}

extension ScriptedKeyring {
    func store(deadline: Duration = .seconds(60)) throws -> KeyringStore {
        KeyringStore(scope: try StoreScope(service: service), deadline: deadline, busAddress: address)
    }

    /// Returns the command that creates an item with the attributes of the store's item for ``StoreKey/session``.
    static func item(_ text: String) -> String {
        "item \(text) application=sallyport service=$SERVICE account=default key=session"
    }
}

/// The calls of a store, for tests of properties that hold for every call.
enum StoreOperation: String, CaseIterable, CustomTestStringConvertible {
    case read
    case write
    case replace
    case remove
    case removeExpected

    var testDescription: String { rawValue }

    /// Makes the call, with the expected item if the call compares.
    func run(on store: KeyringStore, expecting expected: SecretBytes) async throws {
        switch self {
        case .read: _ = try await store.item(forKey: .session)
        case .write: try await store.setItem(SecretBytes(text: "new"), forKey: .session)
        case .replace: _ = try await store.replaceItem(forKey: .session, ifEquals: expected, with: SecretBytes([1]))
        case .remove: try await store.removeItem(forKey: .session)
        case .removeExpected: _ = try await store.replaceItem(forKey: .session, ifEquals: expected, with: nil)
        }
    }
}
#endif
