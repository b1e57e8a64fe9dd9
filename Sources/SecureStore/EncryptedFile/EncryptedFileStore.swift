// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
public import AuthCore

/// An encrypted file, for machines without a keyring: servers, CI, containers, WSL.
///
/// The app must choose this store; it never replaces a keyring automatically. Each scope has one file, in a folder that
/// only this user can enter. <doc:ReadingTheEncryptedFileFormat> has the format and the threats that it protects from.
/// The file is only as safe as its ``FileKey`` or ``Passphrase``: a secret beside the file does not stop an attacker
/// who can read both.
///
/// Each call ends at the store's deadline, or at once if the task is cancelled, and occupies no cooperative thread. A
/// store makes its calls one at a time. All processes change the file one at a time, under a lock beside it. A change
/// is made whole or not at all, however the process ends. No call prompts, unless the key is a ``PortalKey``.
///
/// The store never overwrites a file that it can't open. To start again, remove the file.
public final class EncryptedFileStore: SecureStore {
    public let scope: StoreScope
    private let folder: String?
    private let deadline: Duration
    private let worker: BlockingWorker<EncryptedFile>

    /// Creates a store of a file under a key, without reading the file.
    ///
    /// - Parameters:
    ///   - scope: The service and account of the items; a file of another scope does not open.
    ///   - folder: An absolute path, created with mode 0700 if it does not exist. If nil, the folder is
    ///     `$XDG_DATA_HOME/sallyport`; by default `.local/share/sallyport` in the user's home folder, on Apple systems
    ///     `Library/Application Support/sallyport`.
    ///   - key: The file's key. Secret.
    ///   - deadline: The longest time that a call may take.
    public convenience init(
        scope: StoreScope,
        folder: String? = nil,
        key: FileKey,
        deadline: Duration = .seconds(30)
    ) {
        self.init(scope: scope, folder: folder, secret: .key { _ in key }, deadline: deadline)
    }

    /// Creates a store of a file under a passphrase, without reading the file.
    ///
    /// The first call that reads or creates a file runs scrypt, which takes 128 MiB and some tenths of a second, and
    /// about ten times as long in a debug build.
    ///
    /// - Parameters:
    ///   - scope: The service and account of the items; a file of another scope does not open.
    ///   - folder: As for a file under a key.
    ///   - keepsDerivedKey: Whether the key that scrypt derives stays in the kernel's keyring of the user for fifteen
    ///     minutes after its last use, so that the user's next processes save the time. Each still needs the
    ///     passphrase. For commands that are run often; on Linux only, and where the kernel allows it.
    ///   - deadline: The longest time that a call may take.
    ///   - passphrase: Returns the passphrase, for example the output of a command. Called at most once, on a thread
    ///     that may be blocked, when the file is first opened; the time counts against the deadline. Its error is the
    ///     call's.
    public convenience init(
        scope: StoreScope,
        folder: String? = nil,
        keepsDerivedKey: Bool = false,
        deadline: Duration = .seconds(30),
        passphrase: @escaping @Sendable () throws -> Passphrase
    ) {
        let secret = FileSecret.passphrase(passphrase, keepsDerivedKey: keepsDerivedKey)
        self.init(scope: scope, folder: folder, secret: secret, deadline: deadline)
    }

    /// Creates a store with a chosen scrypt cost of a new file, so that tests can open new files quickly.
    package init(
        scope: StoreScope,
        folder: String?,
        secret: FileSecret,
        deadline: Duration,
        cost: ScryptCost = .standard
    ) {
        (self.scope, self.folder, self.deadline) = (scope, folder, deadline)
        let file = EncryptedFile(of: scope, in: folder, secret: secret, cost: cost)
        worker = BlockingWorker(label: "sallyport.encrypted-file", file)
    }

    /// The file's path, even if the file or its folder does not exist.
    ///
    /// Throws ``SecureStoreError`` (`denied`) if the user has no home folder.
    public var path: String {
        get throws(SecureStoreError) {
            "\(try EncryptedFile.folder(folder, of: scope))/\(EncryptedFile.name(of: scope))"
        }
    }

    public var protection: StoreProtection { .encryptedFile }

    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await perform { file, _ in try file.items()?[key] }
    }

    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        // Refused before the file is read.
        try item.checkItemSize()
        _ = try await perform { try $0.replace(key, with: item, mayWait: $1) }
    }

    public func removeItem(forKey key: StoreKey) async throws {
        _ = try await perform { try $0.replace(key, with: nil, mayWait: $1) }
    }

    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try item?.checkItemSize()
        return try await perform {
            try $0.replace(key, with: item, mayWait: $1) { $0 == expected || $0 == nil && item == nil }
        }
    }

    /// Gets the key from the secret portal, which may show the keyring's prompt.
    ///
    /// Does nothing for a file under another key or under a passphrase.
    public func unlock(timeout: Duration) async throws {
        try await perform(atMost: timeout, gettingKeyWithin: timeout) { file, _ in try file.unlock() }
    }

    /// Removes the derived key that the kernel keeps for the file, if there is one.
    ///
    /// For a sign-out. Needs no passphrase. Does nothing for a file under a key, and if there is no file.
    ///
    /// - Throws: ``SecureStoreError`` if the file can't be read; `CancellationError`.
    public func removeDerivedKey() async throws {
        try await perform { file, _ in try file.removeDerivedKey() }
    }

    /// Runs work on the store's thread.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (EncryptedFile, _ mayWait: () throws -> Bool) throws -> Value
    ) async throws -> Value {
        // A key that is late leaves time for the error that says so.
        try await perform(atMost: deadline, gettingKeyWithin: deadline.bounded * 0.75, work)
    }

    private func perform<Value: Sendable>(
        atMost timeout: Duration,
        gettingKeyWithin keyTimeout: Duration,
        _ work: @escaping @Sendable (EncryptedFile, _ mayWait: () throws -> Bool) throws -> Value
    ) async throws -> Value {
        let keyDeadline = KeyDeadline(in: keyTimeout)
        return try await worker.run(atMost: timeout, onAbandon: keyDeadline.cancel) { file, mayWait in
            file.keyDeadline = keyDeadline
            return try work(file, mayWait)
        }
    }
}
#else
/// An encrypted file, available with the package trait `EncryptedFile`.
@available(*, unavailable, message: "Enable the package trait EncryptedFile, which is not a default trait.")
public enum EncryptedFileStore {}
#endif
