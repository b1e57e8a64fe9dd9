#if Keyring && canImport(CSecretService)
public import AuthCore

/// The system's keyring on Linux, over the Secret Service: GNOME's, KDE's and KeePassXC's keyrings offer it.
///
/// An item is kept under four attributes, which keyrings hold in clear: `application` (`sallyport`), `service`,
/// `account` and `key`. `secret-tool search --all application sallyport` and Seahorse show it.
///
/// A locked keyring is the error `locked`, and the item shows again once the person has unlocked it. Where a call's
/// ``InteractionPolicy`` allows it, the keyring's own prompt is shown; callers at the same time share one, and who leaves
/// does not take it away. Each call ends at the store's deadline, lets its caller go at once when the task is cancelled, and
/// occupies no cooperative thread; the calls of one store are made one after the other. Calls to a keyring that has just
/// left one unanswered end sooner: all together take no more than one and a half deadlines. The bus and the keyring
/// daemon may be restarted at any time.
///
/// Changes of one scope are made one after the other by all processes on the same bus, under a lock that is not the item's
/// and not the ``SessionLock``: nothing comes between a comparison and what follows from it. Who changes the items with
/// another program, `secret-tool` for one, knows nothing of the lock; what two such writers leave is one of their values
/// whole, and duplicates they leave are mended by the next write.
public final class KeyringStore: SecureStore {
    /// Whose items these are.
    public let scope: StoreScope
    let surroundings: KeyringSurroundings
    let calls: KeyringCalls
    private let unlocking: KeyringUnlocking

    /// How many prompts one call may lead to: ours may lie in another keyring than the default one.
    private static let prompts = 3

    /// Makes a store on the session bus that the environment names.
    ///
    /// That is `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`. It connects at the first call.
    ///
    /// - Parameters:
    ///   - service: Whose items: the app's.
    ///   - account: Which of the app's sessions.
    ///   - deadline: How long a call may take, from a millisecond to a day. A prompt's time is counted apart.
    public convenience init(service: StoreService, account: StoreAccount = .default, deadline: Duration = .seconds(5)) {
        let scope = StoreScope(service: service, account: account)
        self.init(scope: scope, deadline: deadline, surroundings: .ofProcess())
    }

    /// Makes a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app's reverse domain name, say.
    ///   - account: Which of the app's sessions.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(service: String, account: String = "default") throws {
        self.init(service: try StoreService(service), account: try StoreAccount(account))
    }

    /// Makes a store on a given bus, for tests.
    package convenience init(
        service: StoreService,
        account: StoreAccount = .default,
        deadline: Duration = .seconds(5),
        busAddress: String
    ) {
        let scope = StoreScope(service: service, account: account)
        self.init(scope: scope, deadline: deadline, surroundings: KeyringSurroundings(busAddress: busAddress))
    }

    /// Makes a store in given surroundings, for tests.
    package init(scope: StoreScope, deadline: Duration, surroundings: KeyringSurroundings) {
        self.scope = scope
        self.surroundings = surroundings
        calls = KeyringCalls(surroundings, deadline: deadline)
        unlocking = KeyringUnlocking(calls)
    }

    /// Reads an item.
    ///
    /// Of several with the same attributes the newest counts.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked to unlock the keyring.
    /// - Returns: The item, secret; nil only where no keyring is locked and none has it.
    /// - Throws: ``SecureStoreError`` (`locked`, `noSessionBus`, `noProvider`, `noCollection`, `timedOut`, `denied`,
    ///   `failed`); `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await perform(interaction) { [scope] in try $0.read(ItemAttributes(scope, key: key)) }
    }

    /// Writes an item into the place of the present one, else into the default keyring.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Whether the person may be asked to unlock the keyring.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `busy` and those of a read); `CancellationError`. After `timedOut` and a
    ///   cancellation the new item may have been written all the same.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        try await change(interaction, makesKeyring: true) { [scope] in
            try $0.write(item, ItemAttributes(scope, key: key))
        }
    }

    /// Removes an item, and with it all others of the same attributes.
    ///
    /// Some keyrings, KeePassXC for one, delete nothing without a prompt. Then the item is emptied, and if the user may be
    /// asked, the prompt is shown. If not, or if the user does not agree, the empty entry stays: see
    /// ``emptiedItemCount()``.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the user may be asked to unlock the keyring, and to confirm the removal.
    /// - Throws: ``SecureStoreError`` where it may still be there (`busy` if another process holds the lock for too long,
    ///   and those of a read); `CancellationError`.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await remove(interaction) { [scope] in try $0.remove(ItemAttributes(scope, key: key)) }
    }

    /// Writes an item only where the present one still is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing, whose absence is proved. Secret; compared in constant time.
    ///   - item: What to keep. Secret.
    ///   - interaction: Whether the person may be asked to unlock the keyring.
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

    /// Removes an item only where it still is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret; compared in constant time.
    ///   - interaction: Whether the person may be asked to unlock the keyring.
    /// - Returns: Whether the item is gone; false where it is another.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await remove(interaction) { [scope] in try $0.remove(ItemAttributes(scope, key: key), ifEquals: expected) }
    }

    /// The names of all items of this scope.
    ///
    /// - Parameter interaction: Whether the person may be asked to unlock the keyring.
    /// - Returns: The names; complete.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await perform(interaction) { try $0.keys() }
    }

    /// Removes all items of this scope.
    ///
    /// - Parameter interaction: Whether the person may be asked to unlock the keyring.
    /// - Throws: ``SecureStoreError`` where one may still be there; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await remove(interaction) { try $0.removeAll() }
    }

    /// Writes, reads and removes a value under the key `probe`, as one change.
    ///
    /// No prompt to delete it is shown: a keyring that would ask keeps an emptied entry, which is used again.
    ///
    /// - Parameter interaction: Whether the user may be asked to unlock the keyring.
    /// - Throws: ``SecureStoreError`` if the keyring can't be used (`damaged` if it returns another value);
    ///   `CancellationError`.
    public func probe(interaction: InteractionPolicy) async throws {
        let value = SecretBytes(RandomBytes.make(32))
        try await change(interaction, makesKeyring: true) { [scope] items in
            let attributes = ItemAttributes(scope, key: StoreKey(trusted: "probe"))
            try items.write(value, attributes)
            let found = try items.read(attributes)
            try items.remove(attributes)
            guard found == value else { throw SecureStoreError(.damaged, detail: "probe") }
        }
    }

    /// Returns how many removed items the keyring keeps as emptied entries, because it deletes nothing without a prompt.
    ///
    /// They hold no secret, and the next items take their place. Where the keyring keeps older versions of an entry, as
    /// KeePassXC does, the user has to delete the entry to be rid of those. Shows no prompt.
    ///
    /// - Returns: The number, without those in a locked keyring.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func emptiedItemCount() async throws -> Int {
        try await perform { try $0.countEmptied() }
    }

    // MARK: Calling

    /// Removes, and then has the user asked about what the keyring does not delete without that.
    ///
    /// What is removed is gone before the prompt is shown, so that nothing depends on its answer.
    private func remove<Value: Sendable>(
        _ interaction: InteractionPolicy,
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        let offers = DeletionOffers()
        let value = try await change(interaction) { items in
            var items = items
            items.offers = offers
            return try work(items)
        }
        if case .allowed(let end) = interaction { await unlocking.confirm(offers.all, until: end) }
        return value
    }

    /// Works under the lock among the processes that change items of this scope on the same bus.
    ///
    /// Those on another bus have another keyring, and one that hangs there is no reason to wait here.
    private func change<Value: Sendable>(
        _ interaction: InteractionPolicy,
        makesKeyring: Bool = false,
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await perform(interaction, makesKeyring: makesKeyring) { items in
            let bus = try items.keyring.busID(before: items.deadline)
            let path = try UserFolder.locks().file(ScopeFileName.of("items", items.scope, onBus: bus))
            let lock = try FileLock.blocking(at: path) { try items.deadline.checkMayWait(forLock: "items lock") }
            // Each bus has a file of its own, and a desktop session a bus.
            defer { lock.removeFile(at: path) }
            return try work(items)
        }
    }

    /// Works, and once more each time the person has unlocked, or made, a keyring for it.
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
