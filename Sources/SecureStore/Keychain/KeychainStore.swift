#if canImport(Security)
public import AuthCore

/// The keychain of Apple systems: the data protection keychain, bound to this device.
///
/// An item is a generic password with the service's name, and `account/key` as its account. No item asks for the person,
/// so no call prompts, whatever its interaction policy. While the device keeps an item locked, which ``accessibility``
/// decides, a call is `locked`.
///
/// Changes are made one after the other by the processes that share a home folder. Apps of one family that share an
/// access group have homes of their own: between their comparisons and changes the other one may write.
public final class KeychainStore: SecureStore {
    /// Whose items these are.
    public let scope: StoreScope
    /// When the system gives out what this store writes.
    ///
    /// An item that is there already gets it with its next write.
    public let accessibility: KeychainAccessibility
    private let worker: KeychainWorker
    private let waiting = BoundedCall()
    private let deadline: Duration

    /// Makes a store; nothing is touched.
    ///
    /// - Parameters:
    ///   - scope: Whose items.
    ///   - accessGroup: The keychain group that the apps of a family share, with its prefix, as in their entitlements.
    ///     Nil writes to the app's first group and reads all of its groups, so that an app which shares items of this scope
    ///     names the group.
    ///   - accessibility: When the system gives the items out.
    ///   - deadline: How long a call may take.
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

    /// Makes a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app's reverse domain name, say.
    ///   - account: Which of the app's sessions.
    ///   - accessGroup: The keychain group that the apps of a family share; nil for the app's own.
    ///   - accessibility: When the system gives the items out.
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

    /// Always ``StoreProtection/keychain``.
    public var protection: StoreProtection { .keychain }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Returns: The item, secret; nil where the keychain says that there is none.
    /// - Throws: ``SecureStoreError`` (`locked`, `denied`, `noProvider`, `promptDismissed`, `damaged`, `timedOut`,
    ///   `failed`); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await call { try $0.read(key) }
    }

    /// Writes an item in place of the present one.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `full`, `busy` and those of a read); `CancellationError`.
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
#endif
