// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
public import AuthCore

/// A file encrypted under a passphrase, for machines without a keyring: servers, CI, containers, WSL.
///
/// The app must choose this store; it never replaces a keyring automatically. Each scope has one file, in a folder that
/// only this user can enter. <doc:ReadingTheEncryptedFileFormat> describes the format and the threats that it protects
/// against. The file is only as safe as the passphrase: a passphrase stored beside it does not stop an attacker who can
/// read both.
///
/// Each call ends at the store's deadline, or at once if the task is cancelled, and occupies no cooperative thread. A
/// store makes its calls one at a time. The first call of a store that reads or creates a file also runs scrypt, and
/// takes longer. All processes change the file one at a time, under a lock beside it. A change is made whole or not at
/// all, however the process ends.
///
/// The store never overwrites a file that it can't open. To start again, remove the file.
public final class EncryptedFileStore: SecureStore {
    /// The service and account that the items belong to.
    public let scope: StoreScope
    private let deadline: Duration
    private let worker: EncryptedFileWorker
    private let call = BoundedCall()

    /// Creates a store without reading the file.
    ///
    /// - Parameters:
    ///   - scope: The service and account.
    ///   - folder: An absolute path, created with mode 0700 if it does not exist. If nil, the folder is
    ///     `$XDG_DATA_HOME/sallyport`; by default `.local/share/sallyport` in the user's home folder, on Apple systems
    ///     `Library/Application Support/sallyport`.
    ///   - passphrase: The passphrase of the file. Secret.
    ///   - deadline: The longest time that a call may take, from a millisecond to a day. In the first call, scrypt may
    ///     take half a second of it, and about ten times as long in a debug build.
    public convenience init(
        scope: StoreScope,
        folder: String? = nil,
        passphrase: Passphrase,
        deadline: Duration = .seconds(30)
    ) {
        self.init(scope: scope, folder: folder, passphrase: passphrase, deadline: deadline, cost: .standard)
    }

    /// Creates a store from plain names.
    ///
    /// - Parameters:
    ///   - service: The app, for example by its reverse domain name.
    ///   - account: The name of one of the app's sessions.
    ///   - folder: An absolute path; nil for the user's data folder.
    ///   - passphrase: The passphrase of the file. Secret.
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

    /// Creates a store with a chosen scrypt cost, so that tests can open new files quickly.
    ///
    /// - Parameters:
    ///   - scope: The service and account.
    ///   - folder: An absolute path; nil for the user's data folder.
    ///   - passphrase: The passphrase of the file. Secret.
    ///   - deadline: The longest time that a call may take.
    ///   - cost: The scrypt cost of a new file.
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

    /// The file's path, for tools that show it; the file need not exist.
    ///
    /// Throws ``SecureStoreError`` (`denied`) if the folder is unsafe to use.
    public var path: String { get async throws { try await perform { file, _ in try file.path() } } }

    /// The store's protection, always ``StoreProtection/encryptedFile``.
    public var protection: StoreProtection { .encryptedFile }

    /// Reads an item, without waiting for a process that writes.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    /// - Returns: The item, secret; nil if the file does not exist, or if it opens and does not contain the item.
    /// - Throws: ``SecureStoreError`` (`wrongPassphrase`, `damaged`, `truncated`, `newerFormat`, `denied`, `full`,
    ///   `busy`, `timedOut`, `failed`); `CancellationError`. If one item is damaged, the others stay readable.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await perform { file, _ in try file.items()?.item(forKey: key) }
    }

    /// Writes an item and replaces the present one, damaged or not.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`, `full`, `busy` and the codes of a read); `CancellationError`.
    ///   After `timedOut` or a cancellation, the new item may have been written.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try item.checkItemSize()
        try await change { try $0.set(item, forKey: key) }
    }

    /// Removes an item, damaged or not.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError`` if the item may still be there; `CancellationError`.
    public func removeItem(forKey key: StoreKey) async throws {
        try await change { $0.remove(forKey: key) }
    }

    /// Writes an item only if the present one still is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil if the item must be absent. Secret; compared in constant time.
    ///   - item: The new item. Secret.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` (the codes of a write; `damaged` also if the present item is damaged);
    ///   `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try item?.checkItemSize()
        return try await change { items in
            let found = try items.item(forKey: key)
            guard found == expected || found == nil && item == nil else { return false }
            if let item { try items.set(item, forKey: key) } else { items.remove(forKey: key) }
            return true
        }
    }

    /// Returns the keys of all items, including damaged ones, for tests.
    package func keys() async throws -> Set<StoreKey> {
        try await perform { file, _ in try file.items()?.names ?? [] }
    }

    /// Removes all items, for tests.
    package func removeAll() async throws {
        try await change { $0.removeAll() }
    }

    /// Reseals all items under another passphrase, in one write.
    ///
    /// This store continues with the new passphrase. Other open stores of the file, in this process or another, get
    /// `wrongPassphrase` from then on. If the file does not exist, an empty one is created. A copy of the old file, for
    /// example in a backup, still opens with the old passphrase.
    ///
    /// - Parameter passphrase: The new passphrase. Secret.
    /// - Throws: ``SecureStoreError`` (the codes of a write; `damaged` also if any item is damaged);
    ///   `CancellationError`. After `timedOut` or a cancellation, the passphrase may have been changed; after any other
    ///   error it is unchanged.
    public func changePassphrase(to passphrase: Passphrase) async throws {
        try await perform { try $0.changePassphrase(to: passphrase, timeout: $1) }
    }

    // MARK: Calling

    private func change<Value: Sendable>(
        _ edit: @escaping @Sendable (inout EncryptedItems) throws -> Value
    ) async throws -> Value {
        try await perform { try $0.change(timeout: $1, edit) }
    }

    /// Runs work on the store's worker.
    ///
    /// - Parameter work: The work, which receives the file and the time that the call may wait for the lock.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (EncryptedFile, LockTimeout) throws -> Value
    ) async throws -> Value {
        let (worker, promise) = (worker, Promise<Value>())
        let timeout = LockTimeout(deadline: deadline) { promise.isFinished }
        return try await call.wait(for: promise, atMost: deadline) {
            Task.detached {
                await worker.perform(for: promise) { try work($0, timeout) }
            }
        }
    }
}

/// The worker that makes one store's calls to its file, one at a time, off the cooperative threads.
actor EncryptedFileWorker {
    private let executor = BlockingExecutor(label: "sallyport.encrypted-file")
    private let file: EncryptedFile

    init(scope: StoreScope, folder: String?, cost: ScryptCost, passphrase: Passphrase) {
        file = EncryptedFile(scope: scope, folder: folder, cost: cost, passphrase: passphrase)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Runs blocking work and sets the promise's result; does nothing if the caller has left.
    func perform<Value: Sendable>(for promise: Promise<Value>, _ work: @Sendable (EncryptedFile) throws -> Value) {
        promise.finish { try work(file) }
    }
}
#endif
