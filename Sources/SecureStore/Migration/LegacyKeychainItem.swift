// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
public import AuthCore
import Dispatch
import Security

/// A generic password that an older version of an app, or another library, put into the keychain.
///
///     LegacyKeychainItem(try StoreLocationName("older"), service: "com.goumuve.customer", account: "authToken")
///
/// It is found by exactly its service and account in the data protection keychain. No call prompts. For an item of this
/// library's own, use a ``LegacyStoreItem`` in a ``KeychainStore``.
public struct LegacyKeychainItem: LegacyItemSource {
    /// The name of the location.
    public let name: StoreLocationName
    private let service: String
    private let account: String
    private let accessGroup: String?
    private let isSynchronized: Bool
    private let deadline: Duration
    private let queue = DispatchQueue(label: "sallyport.keychain.older")
    private let waiting = BoundedCall()

    private static let mostGroups = 16

    /// Describes an item.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - service: The service name that the older version used.
    ///   - account: The account name that it used.
    ///   - accessGroup: The keychain group of the item; nil for all of the app's.
    ///   - isSynchronized: Whether the older version let iCloud copy the item to the user's other devices. Its removal
    ///     is copied too, and signs out the older versions there.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    public init(
        _ name: StoreLocationName,
        service: String,
        account: String,
        accessGroup: String? = nil,
        isSynchronized: Bool = false,
        deadline: Duration = .seconds(5)
    ) {
        self.name = name
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.isSynchronized = isSynchronized
        self.deadline = BoundedCall.bounded(deadline)
    }

    /// Reads the item.
    ///
    /// - Returns: The item, secret; nil only if the keychain reports that it does not exist.
    /// - Throws: ``SecureStoreError`` (`locked`, `denied`, `noProvider`, `promptDismissed`, `damaged`, `timedOut`,
    ///   `failed`); `CancellationError`.
    public func item() async throws -> SecretBytes? {
        try await call { try KeychainCalls.read(query) }
    }

    /// Removes the item only if it still is the expected one.
    ///
    /// Several groups may each hold a copy. A copy with another value stays. Between the comparison and the removal,
    /// another app of the access group may write.
    ///
    /// - Parameter expected: The item that must be present. Secret.
    /// - Returns: Whether the item is gone, in all groups.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await call {
            // Each copy is named by its group. Without a group, all matching copies would be removed unseen.
            for _ in 0..<Self.mostGroups {
                guard let copy = try KeychainCalls.readCopy(query) else { return true }
                guard copy.value == expected else { return false }
                var query = query
                query[kSecAttrAccessGroup] = copy.accessGroup
                try KeychainCalls.remove(query)
            }
            // More rounds than an app has groups: another program writes the item again and again.
            return false
        }
    }

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: account,
            kSecAttrSynchronizable: isSynchronized,
            kSecUseDataProtectionKeychain: true,
        ]
        query[kSecAttrAccessGroup] = accessGroup
        return query
    }

    /// Calls the keychain on a queue of its own, because a call may take long.
    private func call<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let promise = Promise<Value>()
        return try await waiting.wait(for: promise, atMost: deadline) {
            queue.async { promise.finish(work) }
        }
    }
}
#endif
