#if Keyring && canImport(CSecretService)
public import AuthCore
internal import Dispatch

/// The system's keyring on Linux, over the Secret Service: GNOME's, KDE's and KeePassXC's keyrings offer it.
///
/// An item is kept under four attributes, which keyrings hold in clear: `application` (`sallyport`), `service`,
/// `account` and `key`. `secret-tool search --all application sallyport` and Seahorse show it.
///
/// No call prompts or unlocks: a locked keyring is the error `locked`, and the item shows again once the person has
/// unlocked it. Each call ends at the store's deadline, lets its caller go at once when the task is cancelled, and
/// occupies no cooperative thread; the calls of one store are made one after the other. The bus and the keyring daemon
/// may be restarted at any time.
///
/// Two processes that write one key at the same moment leave a whole value of one of them. Between the comparison and
/// the removal of ``removeItem(forKey:ifEquals:)`` another process may write; within one store nothing comes between.
public final class KeyringStore: SecureStore {
    private let service: StoreService
    private let account: StoreAccount
    private let deadline: Duration
    private let worker: KeyringWorker
    private let timers = DispatchQueue(label: "sallyport.keyring.deadlines")

    /// Makes a store on the session bus that the environment names.
    ///
    /// That is `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`. It connects at the first call.
    ///
    /// - Parameters:
    ///   - service: Whose items: the app's.
    ///   - account: Which of the app's sessions.
    ///   - deadline: How long a call may take, from a millisecond to a day.
    public convenience init(service: StoreService, account: StoreAccount = .default, deadline: Duration = .seconds(5)) {
        self.init(service: service, account: account, deadline: deadline, bus: BusAddress.fromEnvironment())
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
        self.init(service: service, account: account, deadline: deadline, bus: busAddress)
    }

    private init(service: StoreService, account: StoreAccount, deadline: Duration, bus: String?) {
        self.service = service
        self.account = account
        self.deadline = min(max(deadline, .milliseconds(1)), .seconds(86_400))
        worker = KeyringWorker(busAddress: bus)
    }

    /// Always ``StoreProtection/keyring``.
    public var protection: StoreProtection { .keyring }

    /// Reads an item.
    ///
    /// Of several with the same attributes the newest counts.
    ///
    /// - Parameter key: Which one.
    /// - Returns: The item, secret; nil only where no keyring is locked and none has it.
    /// - Throws: ``SecureStoreError`` (`locked`, `noSessionBus`, `noProvider`, `noCollection`, `timedOut`, `denied`,
    ///   `failed`); `CancellationError`.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await perform { try $0.read(key) }
    }

    /// Writes an item into the place of the present one, else into the default keyring.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge` and those of a read); `CancellationError`. After `timedOut` and a
    ///   cancellation the new item may have been written all the same.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try StoreLimits.check(item)
        try await perform { try $0.write(item, key) }
    }

    /// Removes an item, and with it all others of the same attributes.
    ///
    /// - Parameter key: Which one.
    /// - Throws: ``SecureStoreError`` where it may still be there; `CancellationError`.
    public func removeItem(forKey key: StoreKey) async throws {
        try await perform { try $0.remove(key) }
    }

    /// Removes an item only where it still is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret; compared in constant time.
    /// - Returns: Whether the item is gone; false where it is another.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        try await perform { try $0.remove(key, ifEquals: expected) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (KeyringItems) throws -> Value
    ) async throws -> Value {
        let (service, account, worker) = (service, account, worker)
        let gate = CallGate<Value>(deadline: CallDeadline(in: deadline))
        let timer = DeadlineTimer(after: deadline, on: timers) { gate.abandon(SecureStoreError(.timedOut)) }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                gate.wait(with: continuation)
                Task.detached {
                    await worker.perform(for: gate) { keyring, deadline in
                        try work(
                            KeyringItems(keyring: keyring, service: service, account: account, deadline: deadline)
                        )
                    }
                }
            }
        } onCancel: {
            gate.abandon(CancellationError())
        }
    }
}
#endif
