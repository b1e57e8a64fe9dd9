// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
public import AuthCore

/// The system's keyring on Linux, over the Secret Service that GNOME, KDE and KeePassXC offer.
///
/// An item is kept under four attributes, which keyrings store in plaintext: `application` (`sallyport`), `service`,
/// `account` and `key`. `secret-tool search --all application sallyport` and Seahorse show it. Secrets cross the bus
/// encrypted, with a key that libsecret agrees on with the keyring, unless the keyring offers no encryption.
///
/// A locked item is readable again once the user has unlocked the keyring, in whatever program. The calls of one store
/// are made one after the other, and block no cooperative thread. After a call without a reply, each call has at most a
/// second until the keyring replies or six deadlines have passed. The bus and the keyring daemon may be restarted at any
/// time.
///
/// A keyring that deletes only with a prompt, such as KeePassXC, keeps the entry of a removed item, with a marker in
/// place of the secret. The next item of that key reuses it.
///
/// All processes on the same bus make their changes of one scope one after the other, under a lock that is not the
/// ``SessionLock``. No other change comes between a comparison and the write that follows from it. Other programs, for
/// example `secret-tool`, don't take the lock. If one of them writes at the same time, one of the values remains whole,
/// and the next write removes any duplicates.
public final class KeyringStore: SecureStore {
    public let scope: StoreScope
    let worker: KeyringWorker
    /// A thread apart from that of the calls, because it blocks until the user answers a prompt.
    private let prompts = BlockingWorker<PromptAnswer?>(label: "sallyport.keyring.prompt", nil)

    private typealias PromptAnswer = (time: SuspendingClock.Instant, dismissal: SecureStoreError?)
    /// The most prompts for one call, because the items may be in another keyring than the default one.
    private static let mostPrompts = 3

    /// Creates a store on the session bus that the environment names, by default, or the app.
    ///
    /// The environment's address is `DBUS_SESSION_BUS_ADDRESS`, or else `$XDG_RUNTIME_DIR/bus`. The first call connects
    /// to it. An address there that is not a local socket (`unix:`) is refused: whoever sets the environment could lead
    /// the secrets to another machine.
    ///
    /// - Parameters:
    ///   - deadline: The time limit of a call. The time of a prompt does not count.
    ///   - busAddress: Any address that the app names. Names and attributes of items cross the bus in plaintext, and no
    ///     bus proves its identity: for an address that is not `unix:`, trust the network and the machine at its other
    ///     end.
    public convenience init(scope: StoreScope, deadline: Duration = .seconds(5), busAddress: String? = nil) {
        self.init(scope: scope, deadline: deadline, environment: KeyringEnvironment(ofProcessOnBus: busAddress))
    }

    /// Creates a store on the environment's session bus from plain names.
    ///
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(service: String, account: String = "default") throws {
        self.init(scope: try StoreScope(service: service, account: account))
    }

    /// Creates a store in a given environment, for tests.
    package init(scope: StoreScope, deadline: Duration, environment: KeyringEnvironment) {
        (self.scope, worker) = (scope, KeyringWorker(environment, deadline: deadline))
    }

    public var protection: StoreProtection { .keyring }

    /// If several items have the same attributes, returns the newest.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await worker.run { [scope] items, _ in try items.read(ItemAttributes(scope, key: key)) }
    }

    /// Without a present item, writes to the default keyring.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try item.checkItemSize()
        try await change { [scope] in try $0.write(item, ItemAttributes(scope, key: key)) }
    }

    public func removeItem(forKey key: StoreKey) async throws {
        try await change { [scope] in try $0.remove(ItemAttributes(scope, key: key)) }
    }

    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try item?.checkItemSize()
        return try await change { [scope] in
            try $0.replace(ItemAttributes(scope, key: key), ifEquals: expected, with: item)
        }
    }

    /// Shows the keyring's prompt, or joins the open one, until this scope's items can be read and written.
    ///
    /// Creates the default keyring if there is none. Never dismisses a prompt: gnome-keyring-daemon aborts on that, and
    /// locks every program's secrets.
    public func unlock(timeout: Duration) async throws {
        try await Deadline(in: timeout).limit(throwing: SecureStoreError(.timedOut)) { [worker, scope, prompts] in
            for _ in 0..<Self.mostPrompts {
                let start = SuspendingClock().now
                guard let offer = try await worker.run({ items, _ in try items.unlockPrompt(scope) }) else { return }
                try await prompts.run(atMost: timeout) { last, _ in
                    // Another caller's prompt was answered while this one waited, so no second one is shown.
                    if let last, last.time >= start { return try last.dismissal.map { throw $0 } ?? () }
                    do {
                        try offer.bus.showPrompt(at: offer.path, of: offer.owner)
                        last = (SuspendingClock().now, nil)
                    } catch let error as SecureStoreError where error.code == .promptDismissed {
                        last = (SuspendingClock().now, error)
                        throw error
                    }
                }
            }
        }
    }

    public func probe() async throws {
        // One change under the lock allows a fixed key. With random names, a keyring that deletes only with a prompt
        // would keep an entry for each.
        let value = SecretBytes(RandomBytes.make(32))
        try await change { [scope] items in
            let attributes = ItemAttributes(scope, key: ItemAttributes.probe)
            try items.write(value, attributes)
            let found = try items.read(attributes)
            try items.remove(attributes)
            guard found == value else { throw SecureStoreError(.damaged, detail: "probe") }
        }
    }

    /// Runs work under the lock of all processes that change items of this scope on the same bus.
    ///
    /// Processes on another bus have another keyring. If that one hangs, this call need not wait for it.
    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        try await worker.run { [scope] items, mayWait in
            let bus = try items.keyring.session.bus.id(before: items.keyring.deadline)
            let path = try UserFolder.locks().file(ScopeFileName.of("items", scope, onBus: bus))
            let lock = try FileLock.blocking(at: path, "items lock", mayWait: mayWait)
            // The file's name contains the bus, and each desktop session has a bus: without a removal, files would
            // gather.
            defer { lock.removeFile(at: path) }
            return try work(items)
        }
    }
}
#elseif os(Linux)
/// The system keyring, which needs the package trait `Keyring`.
@available(*, unavailable, message: "Enable the package trait Keyring, which is a default trait.")
public enum KeyringStore {}
#endif
