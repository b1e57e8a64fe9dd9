#if canImport(Security)
public import AuthCore

/// The data protection keychain of Apple systems, bound to this device.
///
/// An item is a generic password with the service's name, and `account/key` as its account. Items don't require the
/// user's presence, so no call prompts, whatever its interaction policy. While the device withholds an item, which
/// depends on ``accessibility``, a call throws `locked`.
///
/// Processes that share a home folder make changes one at a time. Apps that share an access group have separate home
/// folders, so one may write between another's comparison and change.
public final class KeychainStore: SecureStore {
    /// The service and account that the items belong to.
    public let scope: StoreScope
    /// The condition under which the system returns the items that this store writes.
    ///
    /// An item that exists already gets it at its next write.
    public let accessibility: KeychainAccessibility
    private let worker: KeychainWorker
    private let waiting = BoundedCall()
    private let deadline: Duration

    /// Creates a store without accessing the keychain.
    ///
    /// - Parameters:
    ///   - scope: The service and account.
    ///   - accessGroup: The keychain group that several apps share, with its prefix, as in their entitlements. If nil,
    ///     the store writes to the app's first group and reads all of its groups. An app that shares items of this
    ///     scope must therefore name the group.
    ///   - accessibility: The condition under which the system returns the items.
    ///   - deadline: The longest time that a call may take, from a millisecond to a day.
    public init(
        scope: StoreScope,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly,
        deadline: Duration = .seconds(5)
    ) {
        self.scope = scope
        self.accessibility = accessibility
        self.deadline = BoundedCall.bounded(deadline)
        worker = KeychainWorker(scope: scope, accessGroup: accessGroup, accessibility: accessibility)
    }

    /// Creates a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app, for example by its reverse domain name.
    ///   - account: The name of one of the app's sessions.
    ///   - accessGroup: The keychain group that several apps share; nil for the app's own groups.
    ///   - accessibility: The condition under which the system returns the items.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(
        service: String,
        account: String = "default",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly
    ) throws {
        self.init(
            scope: StoreScope(service: try StoreService(service), account: try StoreAccount(account)),
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }

    /// The store's protection, always ``StoreProtection/keychain``.
    public var protection: StoreProtection { .keychain }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The interaction policy. Ignored.
    /// - Returns: The item, secret; nil if the keychain reports that it does not exist.
    /// - Throws: ``SecureStoreError`` (`locked`, `denied`, `noProvider`, `promptDismissed`, `damaged`, `timedOut`,
    ///   `failed`); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await call { try $0.read(key) }
    }

    /// Writes an item and replaces the present one.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    ///   - interaction: The interaction policy. Ignored.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `full`, `busy` and the codes of a read); `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        try await change { try $0.write(item, key) }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The interaction policy. Ignored.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await change { try $0.remove(key) }
    }

    /// Writes an item only if the present one is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil if the item must be absent. Secret.
    ///   - item: The new item. Secret.
    ///   - interaction: The interaction policy. Ignored.
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

    /// Removes an item only if it is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present. Secret.
    ///   - interaction: The interaction policy. Ignored.
    /// - Returns: Whether the item is absent now; false if another item is present.
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

    /// Returns the keys of all items.
    ///
    /// - Parameter interaction: The interaction policy. Ignored.
    /// - Returns: The keys.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await call { try $0.keys() }
    }

    /// Removes all items of this scope.
    ///
    /// - Parameter interaction: The interaction policy. Ignored.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await change { worker in
            for key in try worker.keys() { try worker.remove(key) }
        }
    }

    private func call<Value: Sendable>(
        _ work: @escaping @Sendable (isolated KeychainWorker) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Value>()
        return try await waiting.wait(for: promise, atMost: deadline) {
            Task.detached { [worker] in await worker.perform(promise, work) }
        }
    }

    /// Runs work under the lock that processes share, unless the caller has left.
    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (isolated KeychainWorker) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Value>()
        return try await waiting.wait(for: promise, atMost: deadline) {
            Task.detached { [worker] in
                await worker.perform(promise) { worker in
                    try worker.locked(unless: { promise.isFinished }) { try work($0) }
                }
            }
        }
    }
}
#endif
