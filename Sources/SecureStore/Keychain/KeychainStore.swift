// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
public import AuthCore

/// The data protection keychain of Apple systems, bound to this device.
///
/// An item is a generic password with the service's name, and `account/key` as its account. While the device withholds
/// an item, which depends on ``accessibility``, a call throws `locked`. Without an ``accessControl`` no call prompts,
/// whatever its interaction policy. While a prompt is shown, the other calls of this store wait, and throw `timedOut` at
/// their own time limit.
///
/// Processes that share a home folder, or the scope's ``SharedFolder``, make changes one at a time. Apps that share an
/// access group have separate home folders: without a shared folder, one may write between another's comparison and
/// change.
public final class KeychainStore: SecureStore {
    /// The service and account that the items belong to.
    public let scope: StoreScope
    /// The condition under which the system returns the items that this store writes.
    ///
    /// An item that exists already gets it at its next write.
    public let accessibility: KeychainAccessibility
    /// The proof of the user's presence that the items require; nil if they require none.
    ///
    /// An item that exists already gets it at its next write.
    public let accessControl: KeychainAccessControl?
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
    ///   - accessControl: The proof of the user's presence that the items require; nil for items that a session can use
    ///     in the background.
    ///   - deadline: The longest time that a call may take, from a millisecond to a day. The time of a prompt does not
    ///     count.
    public init(
        scope: StoreScope,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly,
        accessControl: KeychainAccessControl? = nil,
        deadline: Duration = .seconds(5)
    ) {
        self.scope = scope
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.deadline = BoundedCall.bounded(deadline)
        worker = KeychainWorker(
            scope: scope,
            accessGroup: accessGroup,
            accessibility: accessibility,
            accessControl: accessControl
        )
    }

    /// Creates a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app, for example by its reverse domain name.
    ///   - account: The name of one of the app's sessions.
    ///   - accessGroup: The keychain group that several apps share; nil for the app's own groups.
    ///   - accessibility: The condition under which the system returns the items.
    ///   - accessControl: The proof of the user's presence that the items require; nil for none.
    ///   - sharedFolder: The folder of the locks, if apps with separate home folders share the items; nil for the app's
    ///     own.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(
        service: String,
        account: String = "default",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly,
        accessControl: KeychainAccessControl? = nil,
        sharedFolder: SharedFolder? = nil
    ) throws {
        let (service, account) = (try StoreService(service), try StoreAccount(account))
        self.init(
            scope: StoreScope(service: service, account: account, sharedFolder: sharedFolder),
            accessGroup: accessGroup,
            accessibility: accessibility,
            accessControl: accessControl
        )
    }

    /// The store's protection, always ``StoreProtection/keychain``.
    public var protection: StoreProtection { .keychain }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The policy for the prompt of ``accessControl``.
    /// - Returns: The item, secret; nil if the keychain reports that it does not exist.
    /// - Throws: ``SecureStoreError`` (`locked`, `denied`, `missingEntitlement`, `noProvider`, `promptDismissed`,
    ///   `damaged`, `timedOut`, `failed`); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        let mayPrompt = mayPrompt(interaction)
        return try await call(interaction) { try $0.read(key, mayPrompt: mayPrompt) }
    }

    /// Writes an item and replaces the present one.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    ///   - interaction: The policy for the prompt of ``accessControl``, which a write over an item needs.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `full`, `busy` and the codes of a read); `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        try await change(key, interaction) { try $0.write(item, key) }
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
    ///   - interaction: The policy for the prompt of ``accessControl``.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        return try await change(key, interaction) { worker in
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
    ///   - interaction: The policy for the prompt of ``accessControl``.
    /// - Returns: Whether the item is absent now; false if another item is present.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await change(key, interaction) { worker in
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

    /// Returns whether a call may show the prompt of ``accessControl``.
    private func mayPrompt(_ interaction: InteractionPolicy) -> Bool {
        guard accessControl != nil, case .allowed(let end) = interaction else { return false }
        return ContinuousClock.now < end
    }

    /// The longest time that a call may take, with the time of a prompt.
    private func limit(_ interaction: InteractionPolicy) -> Duration {
        guard mayPrompt(interaction), case .allowed(let end) = interaction else { return deadline }
        return BoundedCall.bounded(ContinuousClock.now.duration(to: end) + deadline)
    }

    private func call<Value: Sendable>(
        _ interaction: InteractionPolicy = .never,
        _ work: @escaping @Sendable (isolated KeychainWorker) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Value>()
        return try await waiting.wait(for: promise, atMost: limit(interaction)) {
            Task.detached { [worker] in await worker.perform(promise, work) }
        }
    }

    /// Runs work under the lock that processes share, unless the caller has left.
    ///
    /// If the work needs the user's presence for a key's item, and the policy allows the prompt, it is shown first.
    private func change<Value: Sendable>(
        _ key: StoreKey? = nil,
        _ interaction: InteractionPolicy = .never,
        _ work: @escaping @Sendable (isolated KeychainWorker) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Value>()
        let mayPrompt = mayPrompt(interaction)
        return try await waiting.wait(for: promise, atMost: limit(interaction)) {
            Task.detached { [worker] in
                await worker.perform(promise) { worker in
                    if mayPrompt, let key { _ = try worker.read(key, mayPrompt: true) }
                    return try worker.locked(unless: { promise.isFinished }) { try work($0) }
                }
            }
        }
    }
}
#endif
