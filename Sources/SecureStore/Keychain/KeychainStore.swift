#if canImport(Security)
public import AuthCore
import Foundation
import Security

/// The keychain of Apple systems: the data protection keychain, bound to this device, readable after its first unlock.
///
/// An item is a generic password with the service's name, and `account/key` as its account. No item asks for the person,
/// so no call prompts, whatever its interaction policy. Before the first unlock after a start a call is `locked`.
///
/// Changes are made one after the other by the processes that share a home folder. Apps of one family that share an
/// access group have homes of their own: between their comparisons and changes the other one may write.
public final class KeychainStore: SecureStore {
    /// Whose items these are.
    public let scope: StoreScope
    private let worker: KeychainWorker
    private let waiting = BoundedCall()
    private let deadline: Duration

    /// Makes a store; nothing is touched.
    ///
    /// - Parameters:
    ///   - scope: Whose items.
    ///   - accessGroup: The keychain group that the apps of a family share; nil for the app's own.
    ///   - deadline: How long a call may take.
    public init(scope: StoreScope, accessGroup: String? = nil, deadline: Duration = .seconds(5)) {
        self.scope = scope
        self.deadline = BoundedCall.bounded(deadline)
        worker = KeychainWorker(scope: scope, accessGroup: accessGroup)
    }

    /// Makes a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app's reverse domain name, say.
    ///   - account: Which of the app's sessions.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(service: String, account: String = "default") throws {
        self.init(scope: StoreScope(service: try StoreService(service), account: try StoreAccount(account)))
    }

    /// Always ``StoreProtection/keychain``.
    public var protection: StoreProtection { .keychain }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Returns: The item, secret; nil where the keychain says that there is none.
    /// - Throws: ``SecureStoreError`` (`locked`, `denied`, `timedOut`, `failed`); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await call { try $0.read(key) }
    }

    /// Writes an item in place of the present one.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `full` and those of a read); `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        try await change { try $0.write(item, key) }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await change { try $0.remove(key) }
    }

    /// Writes an item only where the present one is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing. Secret.
    ///   - item: What to keep. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        return try await change { worker in
            guard try worker.read(key) == expected else { return false }
            try worker.write(item, key)
            return true
        }
    }

    /// Removes an item only where it is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await change { worker in
            guard let found = try worker.read(key) else { return true }
            guard found == expected else { return false }
            try worker.remove(key)
            return true
        }
    }

    /// The names of all items.
    ///
    /// - Parameter interaction: Ignored.
    /// - Returns: The names.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await call { try $0.keys() }
    }

    /// Removes all items of this scope.
    ///
    /// - Parameter interaction: Ignored.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await change { worker in
            for key in try worker.keys() { try worker.remove(key) }
        }
    }

    private func call<Value: Sendable>(
        _ work: @escaping @Sendable (isolated KeychainWorker) throws -> Value
    ) async throws -> Value {
        let gate = CallGate<Value>()
        return try await waiting.wait(for: gate, atMost: deadline) {
            Task.detached { [worker] in await worker.answer(gate, work) }
        }
    }

    /// Works under the lock among processes, and not any more once the caller has left.
    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (isolated KeychainWorker) throws -> Value
    ) async throws -> Value {
        let gate = CallGate<Value>()
        return try await waiting.wait(for: gate, atMost: deadline) {
            Task.detached { [worker] in
                await worker.answer(gate) { worker in
                    try worker.locked(unless: { gate.isClosed }) { try work($0) }
                }
            }
        }
    }
}

/// The thread on which one store talks to the keychain, one call after the other.
private actor KeychainWorker {
    private let executor = BlockingExecutor(label: "sallyport.keychain")
    private let scope: StoreScope
    private let accessGroup: String?

    init(scope: StoreScope, accessGroup: String?) {
        self.scope = scope
        self.accessGroup = accessGroup
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func answer<Value: Sendable>(
        _ gate: CallGate<Value>,
        _ work: @Sendable (isolated KeychainWorker) throws -> Value
    ) {
        gate.answer { try work(self) }
    }

    /// Works under the lock among processes, unless nobody waits for it any more.
    func locked<Value>(
        unless isAbandoned: () -> Bool,
        _ work: (isolated KeychainWorker) throws -> Value
    ) throws -> Value {
        func checkIsWanted() throws {
            if isAbandoned() { throw SecureStoreError(.timedOut) }
        }
        let path = try UserFolder.locks().file(ScopeFileName.of("items", scope))
        let lock = try FileLock.blocking(at: path, mayWait: checkIsWanted)
        defer { withExtendedLifetime(lock) {} }
        try checkIsWanted()
        return try work(self)
    }

    func read(_ key: StoreKey) throws -> SecretBytes? {
        var query = query(key)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        guard let found = try copy(query) else { return nil }
        guard let data = found as? Data else { throw SecureStoreError(.damaged, detail: "no data") }
        return SecretBytes(data)
    }

    func write(_ item: SecretBytes, _ key: StoreKey) throws {
        let values: [CFString: Any] = [
            kSecValueData: Data(item.unredacted),
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let updated = unsafe SecItemUpdate(query(key) as CFDictionary, values as CFDictionary)
        guard updated == errSecItemNotFound else { return try Self.check(updated) }
        try Self.check(unsafe SecItemAdd(query(key).merging(values) { $1 } as CFDictionary, nil))
    }

    func remove(_ key: StoreKey) throws {
        let status = SecItemDelete(query(key) as CFDictionary)
        if status != errSecItemNotFound { try Self.check(status) }
    }

    func keys() throws -> Set<StoreKey> {
        var query = query(nil)
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        guard let answer = try copy(query) else { return [] }
        guard let found = answer as? [[CFString: Any]] else { throw SecureStoreError(.damaged, detail: "no list") }
        let prefix = "\(scope.account.name)/"
        let names = found.compactMap { $0[kSecAttrAccount] as? String }.filter { $0.hasPrefix(prefix) }
        return Set(names.compactMap { try? StoreKey(String($0.dropFirst(prefix.count))) })
    }

    private func query(_ key: StoreKey?) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: scope.service.name,
            kSecAttrSynchronizable: false,
            kSecUseDataProtectionKeychain: true,
        ]
        // A name has no slash, so no two make one text.
        query[kSecAttrAccount] = key.map { "\(scope.account.name)/\($0.name)" }
        query[kSecAttrAccessGroup] = accessGroup
        return query
    }

    private func copy(_ query: [CFString: Any]) throws -> CFTypeRef? {
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try Self.check(status)
        return found
    }

    private static func check(_ status: OSStatus) throws {
        let detail = "OSStatus \(status)"
        switch status {
        case errSecSuccess: return
        case errSecInteractionNotAllowed: throw SecureStoreError(.locked, detail: detail)
        case errSecMissingEntitlement, errSecAuthFailed: throw SecureStoreError(.denied, detail: detail)
        case errSecNotAvailable: throw SecureStoreError(.noProvider, detail: detail)
        case errSecUserCanceled: throw SecureStoreError(.promptDismissed, detail: detail)
        case errSecDiskFull: throw SecureStoreError(.full, detail: detail)
        case errSecDecode: throw SecureStoreError(.damaged, detail: detail)
        default: throw SecureStoreError(.failed, detail: detail)
        }
    }
}
#endif
