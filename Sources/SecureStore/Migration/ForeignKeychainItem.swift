#if canImport(Security)
public import AuthCore
import Dispatch
import Security

/// A generic password that an older version of an app, or another library, put into the keychain.
///
///     ForeignKeychainItem(try PlaceName("older"), service: "com.goumuve.customer", account: "authToken")
///
/// It is found by exactly its service and account, synchronised or not, in the data protection keychain. Nothing prompts.
/// An item of this library's own is an ``OlderStoreItem`` in a ``KeychainStore``.
public struct ForeignKeychainItem: OlderPlace {
    /// What the place is called.
    public let name: PlaceName
    private let service: String
    private let account: String
    private let accessGroup: String?
    private let deadline: Duration
    private let queue = DispatchQueue(label: "sallyport.keychain.older")
    private let waiting = BoundedCall()

    /// Names an item.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - service: What the older version called its service.
    ///   - account: What it called the account.
    ///   - accessGroup: The keychain group it is in; nil for all of the app's.
    ///   - deadline: How long a call may take, from a millisecond to a day.
    public init(
        _ name: PlaceName,
        service: String,
        account: String,
        accessGroup: String? = nil,
        deadline: Duration = .seconds(5)
    ) {
        self.name = name
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
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
    /// Between the comparison and the removal another app of the access group may write.
    ///
    /// - Parameter expected: What it must be. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await call {
            guard let found = try KeychainCalls.read(query) else { return true }
            guard found == expected else { return false }
            try KeychainCalls.remove(query)
            return true
        }
    }

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: account,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
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
