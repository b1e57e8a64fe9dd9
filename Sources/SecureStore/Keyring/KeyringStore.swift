// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
public import AuthCore

/// The system's keyring on Linux, over the Secret Service that GNOME, KDE and KeePassXC offer.
///
/// An item is kept under four attributes, which keyrings store in plaintext: `application` (`sallyport`), `service`,
/// `account` and `key`. `secret-tool search --all application sallyport` and Seahorse show it. Secrets cross the bus
/// encrypted, with a key that libsecret agrees on with the keyring. If the keyring offers no encryption, ``diagnose()``
/// says so.
///
/// If the keyring is locked, a call throws `locked`. The item is readable again once the user has unlocked the keyring.
/// If a call's ``InteractionPolicy`` allows it, the keyring's own prompt is shown. Concurrent callers share one prompt,
/// and a caller that stops waiting does not close it.
///
/// Each call ends at the store's deadline, returns at once when the task is cancelled, and blocks no cooperative
/// thread. The calls of one store are made one after the other. After a call without a reply, calls have less time
/// until the keyring replies or six deadlines have passed. First they share two fifths of a deadline, then each has a
/// fiftieth of it, at least 0.1 s. The bus and the keyring daemon may be restarted at any time.
///
/// All processes on the same bus make their changes of one scope one after the other, under a lock that is not the
/// ``SessionLock``. No other change comes between a comparison and the write that follows from it. Other programs, for
/// example `secret-tool`, don't take the lock. If one of them writes at the same time, one of the values remains whole,
/// and the next write removes any duplicates.
public final class KeyringStore: SecureStore {
    /// The service and account of the items.
    public let scope: StoreScope
    let environment: KeyringEnvironment
    let calls: KeyringCalls
    private let unlocking: KeyringUnlocking

    /// The most prompts for one call, because the items may be in another keyring than the default one.
    private static let prompts = 3

    /// Creates a store on the session bus that the environment names.
    ///
    /// The address is `DBUS_SESSION_BUS_ADDRESS`, or else `$XDG_RUNTIME_DIR/bus`. The first call connects to it. An
    /// address that is not a local socket (`unix:`) is refused: whoever sets the environment could lead the secrets to
    /// another machine.
    ///
    /// - Parameters:
    ///   - service: The app that the items belong to.
    ///   - account: The account: one of the app's sessions.
    ///   - deadline: The time limit of a call, from a millisecond to a day. The time of a prompt does not count.
    public convenience init(service: StoreService, account: StoreAccount = .default, deadline: Duration = .seconds(5)) {
        let scope = StoreScope(service: service, account: account)
        self.init(scope: scope, deadline: deadline, environment: .ofProcess())
    }

    /// Creates a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app's name, for example its reverse domain name.
    ///   - account: The name of one of the app's sessions.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(service: String, account: String = "default") throws {
        self.init(service: try StoreService(service), account: try StoreAccount(account))
    }

    /// Creates a store on a session bus that the app names, at any address.
    ///
    /// - Parameters:
    ///   - service: The app that the items belong to.
    ///   - account: The account: one of the app's sessions.
    ///   - deadline: The time limit of a call, from a millisecond to a day. The time of a prompt does not count.
    ///   - busAddress: The address. Names and attributes of items cross the bus in plaintext, and no bus proves its
    ///     identity: for an address that is not `unix:`, trust the network and the machine at its other end.
    public convenience init(
        service: StoreService,
        account: StoreAccount = .default,
        deadline: Duration = .seconds(5),
        busAddress: String
    ) {
        let scope = StoreScope(service: service, account: account)
        self.init(scope: scope, deadline: deadline, environment: .named(busAddress))
    }

    /// Creates a store in given environment, for tests.
    package init(scope: StoreScope, deadline: Duration, environment: KeyringEnvironment) {
        self.scope = scope
        self.environment = environment
        calls = KeyringCalls(environment, deadline: deadline)
        unlocking = KeyringUnlocking(calls)
    }

    /// Reads an item.
    ///
    /// If several items have the same attributes, returns the newest.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts to unlock the keyring.
    /// - Returns: The item, secret; nil only if no keyring is locked and no keyring has it.
    /// - Throws: ``SecureStoreError`` (`locked`, `noSessionBus`, `remoteBus`, `noProvider`, `noCollection`, `timedOut`, `denied`,
    ///   `failed`); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await perform(interaction) { [scope] in try $0.read(ItemAttributes(scope, key: key)) }
    }

    /// Writes an item in place of the present one, or else into the default keyring.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts to unlock the keyring.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `busy` and those of a read); `CancellationError`. After
    ///   `timedOut` and a cancellation the new item may have been written all the same.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        try await change(interaction, makesKeyring: true) { [scope] in
            try $0.write(item, ItemAttributes(scope, key: key))
        }
    }

    /// Removes an item, and with it all others of the same attributes.
    ///
    /// Some keyrings, for example KeePassXC, delete only with a prompt. Then the item is emptied, and the empty entry
    /// stays until ``deleteEmptiedItems(interaction:)``.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts to unlock the keyring.
    /// - Throws: ``SecureStoreError`` if the item may still be there (`busy` if another process holds the lock for too
    ///   long, and those of a read); `CancellationError`.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await change(interaction) { [scope] in try $0.remove(ItemAttributes(scope, key: key)) }
    }

    /// Writes an item only if the present one still is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for proved absence. Secret; compared in constant time.
    ///   - item: The new item. Secret.
    ///   - interaction: The policy for prompts to unlock the keyring.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a write does; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        let sent = SentFlag()
        return try await change(interaction, makesKeyring: true) { [scope] in
            try $0.replace(ItemAttributes(scope, key: key), ifEquals: expected, with: item, sent)
        }
    }

    /// Removes an item only if it still is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present. Secret; compared in constant time.
    ///   - interaction: The policy for prompts to unlock the keyring.
    /// - Returns: Whether the item is gone; false if another item is present.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await change(interaction) { [scope] in try $0.remove(ItemAttributes(scope, key: key), ifEquals: expected) }
    }

    /// Returns the keys of all items of this scope.
    ///
    /// - Parameter interaction: The policy for prompts to unlock the keyring.
    /// - Returns: The complete set of keys.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await perform(interaction) { try $0.keys() }
    }

    /// Removes all items of this scope.
    ///
    /// - Parameter interaction: The policy for prompts to unlock the keyring.
    /// - Throws: ``SecureStoreError`` if an item may still be there; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await change(interaction) { try $0.removeAll() }
    }

    /// Writes, reads and removes a value under a key that no item can have, as one change.
    ///
    /// A keyring that deletes only with a prompt keeps an emptied entry, which is used again.
    ///
    /// - Parameter interaction: The policy for prompts to unlock the keyring.
    /// - Throws: ``SecureStoreError`` if the keyring can't be used (`damaged` if it returns another value);
    ///   `CancellationError`.
    public func probe(interaction: InteractionPolicy) async throws {
        // One change under the lock allows a fixed key, unlike the protocol's default implementation. With random
        // names, a keyring that deletes only with a prompt would keep one entry for each.
        let value = SecretBytes(RandomBytes.make(32))
        try await change(interaction, makesKeyring: true) { [scope] items in
            let attributes = ItemAttributes(scope, key: ItemAttributes.probe)
            try items.write(value, attributes)
            let found = try items.read(attributes)
            try items.remove(attributes)
            guard found == value else { throw SecureStoreError(.damaged, detail: "probe") }
        }
    }

    /// Returns the number of removed items that the keyring keeps as emptied entries.
    ///
    /// A keyring keeps them if it deletes only with a prompt. They hold no secret. A new item reuses such an entry,
    /// unless a deletion prompt for it may be open. If the keyring keeps older versions of an entry, as KeePassXC does,
    /// only the user can remove those, by deleting the entry. Shows no prompt.
    ///
    /// - Returns: The number, without entries in a locked keyring.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func emptiedItemCount() async throws -> Int {
        try await perform { try $0.countEmptied() }
    }

    /// Deletes the entries that removed items left behind in a keyring that deletes only with a prompt.
    ///
    /// Its prompts are shown one after the other and outside every lock. It shows no prompt to unlock the keyring. The
    /// result does not depend on the user's answers, so it returns too if the user declines or time is up. A prompt
    /// stays until the user answers it, and its entry takes no new item until then. In a keyring that can't rename
    /// entries they all stay.
    ///
    /// - Parameter interaction: The policy for the prompts; with `never` the call does nothing.
    /// - Throws: ``SecureStoreError`` as a removal does; `CancellationError`.
    public func deleteEmptiedItems(interaction: InteractionPolicy) async throws {
        guard case .allowed(let end) = interaction else { return }
        var asked: Set<ObjectPath> = []
        while ContinuousClock.now < end,
            let deletion = try await change(.never, { [asked] in try $0.offerDeletion(except: asked) })
        {
            asked.insert(deletion.entry)
            await unlocking.confirm(deletion.prompt, until: end) { [self] in
                guard let token = deletion.token else { return }
                // If that fails, the entry stays and takes no item.
                try? await change(.never) { try $0.keepEmptied(token) }
            }
        }
    }

    // MARK: Calling

    /// Runs work under the lock of all processes that change items of this scope on the same bus.
    ///
    /// Processes on another bus have another keyring. If that one hangs, this call need not wait for it.
    private func change<Value: Sendable>(
        _ interaction: InteractionPolicy,
        makesKeyring: Bool = false,
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await perform(interaction, makesKeyring: makesKeyring) { items in
            let bus = try items.keyring.busID(before: items.deadline)
            let path = try UserFolder.locks().file(ScopeFileName.of("items", items.scope, onBus: bus))
            let lock = try FileLock.blocking(at: path, "items lock", mayWait: items.deadline.mayWaitForLock)
            // The file's name contains the bus, and each desktop session has a bus: without a removal, files would
            // gather.
            defer { lock.removeFile(at: path) }
            return try work(items)
        }
    }

    /// Runs work, and runs it again each time the user has unlocked or created a keyring for it.
    private func perform<Value: Sendable>(
        _ interaction: InteractionPolicy,
        makesKeyring: Bool = false,
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.prompts {
            do {
                return try await perform(work)
            } catch let error as SecureStoreError where error.code == .locked || error.code == .noCollection {
                let isMissing = error.code == .noCollection
                guard case .allowed(let end) = interaction, ContinuousClock.now < end else { throw error }
                guard makesKeyring || !isMissing else { throw error }
                try await unlocking.ask(until: end) { [scope] keyring, deadline in
                    guard !isMissing else { return try keyring.createDefaultCollection(before: deadline) }
                    return try KeyringItems(keyring: keyring, scope: scope, deadline: deadline).unlockOffer()
                }
            }
        }
        return try await perform(work)
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await calls.make { [scope] keyring, deadline in
            try work(KeyringItems(keyring: keyring, scope: scope, deadline: deadline))
        }
    }
}
#endif
