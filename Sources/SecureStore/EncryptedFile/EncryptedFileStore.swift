#if EncryptedFile
public import AuthCore

/// A file encrypted under a passphrase, for machines without a keyring: servers, CI, containers, WSL.
///
/// Chosen by the app, and never by itself in place of a keyring. The file is one a scope, in a folder that only this
/// user can enter; `Docs/EncryptedFile.md` says what it holds and what it protects from. It is as safe as the
/// passphrase: one that lies in a file beside it protects from nobody who reads both.
///
/// Each call ends at the store's deadline, lets its caller go at once when the task is cancelled, and occupies no
/// cooperative thread; the calls of one store are made one after the other. The first call of a process that finds a
/// file takes longer, by what scrypt needs. Changes are made one after the other by all processes, under a lock beside
/// the file, and a change is whole or not made, however its process ends. Nothing prompts: the interaction policy is
/// ignored.
///
/// A file that can't be opened is never written over: remove it to begin anew.
public final class EncryptedFileStore: SecureStore {
    /// Whose items these are.
    public let scope: StoreScope
    private let deadline: Duration
    private let worker: EncryptedFileWorker
    private let call = BoundedCall()

    /// Makes a store; nothing is read before the first call.
    ///
    /// - Parameters:
    ///   - scope: Whose items: the app's, and which of its sessions.
    ///   - folder: An absolute path, made with mode 0700 where it is missing; nil for `$XDG_DATA_HOME/sallyport`, or
    ///     `.local/share/sallyport` in the user's home.
    ///   - passphrase: What opens the file. Secret.
    ///   - deadline: How long a call may take, from a millisecond to a day. Half a second of the first may be
    ///     scrypt's, and some ten times as much in a debug build.
    public convenience init(
        scope: StoreScope,
        folder: String? = nil,
        passphrase: Passphrase,
        deadline: Duration = .seconds(30)
    ) {
        self.init(scope: scope, folder: folder, passphrase: passphrase, deadline: deadline, cost: .standard)
    }

    /// Makes a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app's reverse domain name, say.
    ///   - account: Which of the app's sessions.
    ///   - folder: An absolute path; nil for the user's own folder.
    ///   - passphrase: What opens the file. Secret.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(
        service: String,
        account: String = "default",
        folder: String? = nil,
        passphrase: Passphrase
    ) throws {
        let scope = StoreScope(service: try StoreService(service), account: try StoreAccount(account))
        self.init(scope: scope, folder: folder, passphrase: passphrase)
    }

    /// Makes a store whose new files are cheap to open, for tests.
    ///
    /// - Parameters:
    ///   - scope: Whose items.
    ///   - folder: An absolute path; nil for the user's own folder.
    ///   - passphrase: What opens the file. Secret.
    ///   - deadline: How long a call may take.
    ///   - cost: What scrypt is to cost.
    package init(
        scope: StoreScope,
        folder: String?,
        passphrase: Passphrase,
        deadline: Duration,
        cost: ScryptCost
    ) {
        self.scope = scope
        self.deadline = BoundedCall.bounded(deadline)
        worker = EncryptedFileWorker(scope: scope, folder: folder, cost: cost, passphrase: passphrase)
    }

    /// Always ``StoreProtection/encryptedFile``.
    public var protection: StoreProtection { .encryptedFile }

    /// Reads an item, without waiting for who is writing.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Returns: The item, secret; nil where there is no file, or it opens and has no such item.
    /// - Throws: ``SecureStoreError`` (`wrongPassphrase`, `damaged`, `truncated`, `newerFormat`, `denied`, `timedOut`,
    ///   `failed`); `CancellationError`. One damaged item leaves the others readable.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await perform { file, _ in try file.items()?.item(forKey: key) }
    }

    /// Writes an item in place of the one that is there, damaged or not.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `full`, `busy` and those of a read); `CancellationError`. After
    ///   `timedOut` and a cancellation the new item may have been written all the same.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        try await change { try $0.set(item, forKey: key) }
    }

    /// Removes an item, damaged or not.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError`` where it may still be there; `CancellationError`.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await change { $0.remove(forKey: key) }
    }

    /// Writes an item only where the present one still is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing. Secret; compared in constant time.
    ///   - item: What to keep. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a write does, and `damaged` where the present item is; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        return try await change { items in
            guard try items.item(forKey: key) == expected else { return false }
            try items.set(item, forKey: key)
            return true
        }
    }

    /// Removes an item only where it still is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret; compared in constant time.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item is gone; false where it is another.
    /// - Throws: ``SecureStoreError``, `damaged` where the present item is; `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await change { items in
            guard let found = try items.item(forKey: key) else { return true }
            guard found == expected else { return false }
            items.remove(forKey: key)
            return true
        }
    }

    /// The names of all items, damaged ones too.
    ///
    /// - Parameter interaction: Ignored.
    /// - Returns: The names; complete.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await perform { file, _ in try file.items()?.names ?? [] }
    }

    /// Removes all items; the file stays, and with it the passphrase.
    ///
    /// - Parameter interaction: Ignored.
    /// - Throws: ``SecureStoreError`` where one may still be there: `wrongPassphrase` too; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await change { $0.removeAll() }
    }

    /// Seals all items under another passphrase, in one write.
    ///
    /// This store goes on with the new one. Others that are open, in whatever processes, get `wrongPassphrase` from
    /// then on. Where there is no file yet, one without items is made. A copy of the old file, in a backup say, still
    /// opens with the old passphrase.
    ///
    /// - Parameter passphrase: What opens the file from now on. Secret.
    /// - Throws: ``SecureStoreError`` as a write does, and `damaged` where any item is: nothing is changed then.
    ///   `CancellationError`. After `timedOut` and a cancellation the passphrase may have been changed all the same.
    public func changePassphrase(to passphrase: Passphrase) async throws {
        try await perform { try $0.changePassphrase(to: passphrase, patience: $1) }
    }

    // MARK: Calling

    private func change<Value: Sendable>(
        _ edit: @escaping @Sendable (inout EncryptedItems) throws -> Value
    ) async throws -> Value {
        try await perform { try $0.change(patience: $1, edit) }
    }

    /// Works on the thread of the file.
    ///
    /// - Parameter work: Is given the file, and how long the call may wait.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (EncryptedFile, CallPatience) throws -> Value
    ) async throws -> Value {
        let (worker, gate) = (worker, CallGate<Value>())
        let patience = CallPatience(deadline: deadline) { gate.isClosed }
        return try await call.wait(for: gate, atMost: deadline) {
            Task.detached {
                await worker.perform(for: gate) { try work($0, patience) }
            }
        }
    }
}
#endif
