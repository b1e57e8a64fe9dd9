#if canImport(Security)
public import AuthCore
import Dispatch
import Security

/// A generic password that an older version of an app, or another library, put into the keychain.
///
///     ForeignKeychainItem(try PlaceName("older"), service: "com.goumuve.customer", account: "authToken")
///
/// It is found by exactly its service and account in the data protection keychain. Nothing prompts.
/// An item of this library's own is an ``OlderStoreItem`` in a ``KeychainStore``.
public struct ForeignKeychainItem: OlderPlace {
    /// What the place is called.
    public let name: PlaceName
    private let service: String
    private let account: String
    private let accessGroup: String?
    private let isSynchronized: Bool
    private let deadline: Duration
    private let queue = DispatchQueue(label: "sallyport.keychain.older")
    private let waiting = BoundedCall()

    private static let mostGroups = 16

    /// Names an item.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - service: What the older version called its service.
    ///   - account: What it called the account.
    ///   - accessGroup: The keychain group it is in; nil for all of the app's.
    ///   - isSynchronized: Whether the older version let iCloud carry it to the person's other devices. Its removal is carried
    ///     there too, and signs out the older versions there.
    ///   - deadline: How long a call may take, from a millisecond to a day.
    public init(
        _ name: PlaceName,
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
    /// - Returns: The item, secret; nil only where the keychain says that there is none.
    /// - Throws: ``SecureStoreError`` (`locked`, `denied`, `noProvider`, `promptDismissed`, `damaged`, `timedOut`,
    ///   `failed`); `CancellationError`.
    public func item() async throws -> SecretBytes? {
        try await call { try KeychainCalls.read(query) }
    }

    /// Removes the item only where it still is the expected one.
    ///
    /// Several groups may have one each: a copy that is another one stays. Between the comparison and the removal another app
    /// of the access group may write.
    ///
    /// - Parameter expected: What it must be. Secret.
    /// - Returns: Whether the item is gone, in all groups.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await call {
            // Each is named by its group: without one all would go that match, unseen.
            for _ in 0..<Self.mostGroups {
                guard let copy = try KeychainCalls.readCopy(query) else { return true }
                guard copy.value == expected else { return false }
                var query = query
                query[kSecAttrAccessGroup] = copy.accessGroup
                try KeychainCalls.remove(query)
            }
            // More than an app has groups: somebody writes it again and again.
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

    /// Calls the keychain on a thread of its own: its answer may take long.
    private func call<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let gate = CallGate<Value>()
        return try await waiting.wait(for: gate, atMost: deadline) {
            queue.async { gate.answer(work) }
        }
    }
}
#endif
