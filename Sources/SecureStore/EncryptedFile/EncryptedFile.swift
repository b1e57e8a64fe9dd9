// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore

/// The file of one store, with blocking calls for one thread.
///
/// Every call reads and checks the file again, because another process may have written it. The keys are derived once,
/// and again if the salt or cost in the file changes.
final class EncryptedFile {
    private let scope: StoreScope
    private let folder: String?
    private let cost: ScryptCost
    private var passphrase: Passphrase
    /// The keys derived last, kept even if they don't open the file, so that scrypt does not run again for nothing.
    private var derived: (derivation: KeyDerivation, keys: FileKeys)?

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - scope: The service and account.
    ///   - folder: The file's folder; nil for the user's data folder.
    ///   - cost: The scrypt cost of a new file.
    ///   - passphrase: The passphrase. Secret.
    init(scope: StoreScope, folder: String?, cost: ScryptCost, passphrase: Passphrase) {
        self.scope = scope
        self.folder = folder
        self.cost = cost
        self.passphrase = passphrase
    }

    /// Returns the file's path, even if the file or its folder does not exist.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the user has no home folder).
    func path() throws(SecureStoreError) -> String { "\(try folderPath())/\(EncryptedFileLocation.name(of: scope))" }

    /// Returns the items, or nil if the file does not exist.
    ///
    /// - Throws: ``SecureStoreError`` (`wrongPassphrase`, `truncated`, `damaged`, `newerFormat`, `denied`, `full`,
    ///   `busy`, `failed`).
    func items() throws(SecureStoreError) -> EncryptedItems? {
        try items(at: location())
    }

    /// Changes the items under the lock of all processes, and writes the file if an item changed.
    ///
    /// - Parameters:
    ///   - timeout: The time to wait for the lock.
    ///   - edit: The change to the items, which are empty if the file does not exist.
    /// - Returns: The result of the edit.
    /// - Throws: The error of the edit; ``SecureStoreError`` (the codes of a read, `busy`, `timedOut`, `full`).
    func change<Result>(
        timeout: LockTimeout,
        _ edit: (inout EncryptedItems) throws -> Result
    ) throws -> Result {
        let location = try location()
        // Derives the keys before it takes the lock, so that no other process waits for scrypt.
        let first = try items(at: location) ?? newItems()
        let lock = try location.lock(mayWait: timeout.mayWait)
        defer { withExtendedLifetime(lock) {} }
        var items = try items(at: location) ?? first
        let result = try edit(&items)
        guard items.isChanged else { return result }
        try timeout.checkNotAbandoned()
        try location.replace(with: try items.encoded())
        try Self.synchronize(location)
        return result
    }

    /// Reseals all items under another passphrase, in one write.
    ///
    /// - Parameters:
    ///   - new: The new passphrase. Secret.
    ///   - timeout: The time to wait for the lock.
    /// - Throws: The errors of ``change(timeout:_:)``; `damaged` also if any item is damaged.
    func changePassphrase(to new: Passphrase, timeout: LockTimeout) throws {
        let location = try location()
        _ = try items(at: location)
        let derivation = KeyDerivation(cost: cost)
        let keys = try FileKeys(passphrase: new, derivation: derivation)
        let lock = try location.lock(mayWait: timeout.mayWait)
        defer { withExtendedLifetime(lock) {} }
        var resealed = EncryptedItems(derivation: derivation, keys: keys, scope: scope)
        if let items = try items(at: location) {
            for key in items.names {
                if let item = try items.item(forKey: key) { try resealed.set(item, forKey: key) }
            }
        }
        try timeout.checkNotAbandoned()
        try location.replace(with: try resealed.encoded())
        // Set before anything else can fail: the old passphrase no longer opens the file.
        passphrase = new
        derived = (derivation, keys)
        try Self.synchronize(location)
    }

    /// Syncs the new file's name to the disk, and reports a failure as `timedOut`, because the outcome is unknown.
    ///
    /// The new file is in place, but after a failed sync a power cut may bring the old one back.
    private static func synchronize(_ location: EncryptedFileLocation) throws(SecureStoreError) {
        do throws(SecureStoreError) {
            try location.synchronize()
        } catch {
            throw SecureStoreError(.timedOut, detail: error.detail)
        }
    }

    private func folderPath() throws(SecureStoreError) -> String {
        if let folder { return folder }
        return try UserFolder.data(of: scope)
    }

    private func location() throws(SecureStoreError) -> EncryptedFileLocation {
        try EncryptedFileLocation(of: scope, in: folderPath())
    }

    private func items(at location: EncryptedFileLocation) throws(SecureStoreError) -> EncryptedItems? {
        guard let file = try location.contents() else { return nil }
        let header = try FileHeader(of: file)
        return try EncryptedItems(of: file, header: header, keys: keys(for: header.derivation), scope: scope)
    }

    private func newItems() throws(SecureStoreError) -> EncryptedItems {
        let derivation = KeyDerivation(cost: cost)
        return EncryptedItems(derivation: derivation, keys: try keys(for: derivation), scope: scope)
    }

    private func keys(for derivation: KeyDerivation) throws(SecureStoreError) -> FileKeys {
        if let derived, derived.derivation == derivation { return derived.keys }
        let keys = try FileKeys(passphrase: passphrase, derivation: derivation)
        derived = (derivation, keys)
        return keys
    }
}
#endif
