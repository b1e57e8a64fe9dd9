#if EncryptedFile
import AuthCore

/// The file of one store, with blocking calls for one thread.
///
/// Every call opens and checks the file anew: another process may have written it. The keys are made once, and again
/// where the file has got another salt.
final class EncryptedFile {
    private let scope: StoreScope
    private let folder: String?
    private let cost: ScryptCost
    private var passphrase: Passphrase
    /// Those of the last file that was seen, even where they do not open it: scrypt is not run again to find that out.
    private var derived: (derivation: KeyDerivation, keys: FileKeys)?

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - scope: Whose file.
    ///   - folder: Its folder; nil for the user's own.
    ///   - cost: The cost of a file that is made.
    ///   - passphrase: The passphrase. Secret.
    init(scope: StoreScope, folder: String?, cost: ScryptCost, passphrase: Passphrase) {
        self.scope = scope
        self.folder = folder
        self.cost = cost
        self.passphrase = passphrase
    }

    /// The file's path, whether or not the file and its folder are there.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` where the user has no home).
    func path() throws(SecureStoreError) -> String { "\(try folderPath())/\(EncryptedFilePlace.name(of: scope))" }

    /// The items, or nil where there is no file.
    ///
    /// - Throws: ``SecureStoreError`` (`wrongPassphrase`, `truncated`, `damaged`, `newerFormat`, `denied`, `failed`).
    func items() throws(SecureStoreError) -> EncryptedItems? {
        try items(at: place())
    }

    /// Changes the items under the lock of all processes, and writes the file where something was changed.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for the lock.
    ///   - edit: What to do with the items, of which there are none where there is no file.
    /// - Returns: What the edit returns.
    /// - Throws: What the edit throws; ``SecureStoreError`` of a read, `busy`, `timedOut`, and `full`.
    func change<Result>(
        patience: CallPatience,
        _ edit: (inout EncryptedItems) throws -> Result
    ) throws -> Result {
        let place = try place()
        // Makes the keys before the lock is taken, so that nobody waits for scrypt behind it.
        let first = try items(at: place) ?? newItems()
        let lock = try place.lock(mayWait: patience.checkMayWait)
        defer { withExtendedLifetime(lock) {} }
        var items = try items(at: place) ?? first
        let result = try edit(&items)
        guard items.isChanged else { return result }
        try patience.checkIsWanted()
        try place.replace(with: try items.encoded())
        try Self.synchronize(place)
        return result
    }

    /// Seals all items anew under another passphrase, in one write.
    ///
    /// - Parameters:
    ///   - new: The passphrase from now on. Secret.
    ///   - patience: How long to wait for the lock.
    /// - Throws: As ``change(patience:_:)``; `damaged` where one item is.
    func changePassphrase(to new: Passphrase, patience: CallPatience) throws {
        let place = try place()
        _ = try items(at: place)
        let derivation = KeyDerivation(cost: cost)
        let keys = try FileKeys(passphrase: new, derivation: derivation)
        let lock = try place.lock(mayWait: patience.checkMayWait)
        defer { withExtendedLifetime(lock) {} }
        var resealed = EncryptedItems(derivation: derivation, keys: keys, scope: scope)
        if let items = try items(at: place) {
            for key in items.names {
                if let item = try items.item(forKey: key) { try resealed.set(item, forKey: key) }
            }
        }
        try patience.checkIsWanted()
        try place.replace(with: try resealed.encoded())
        // Before anything else can fail: from here on the old one opens nothing.
        passphrase = new
        derived = (derivation, keys)
        try Self.synchronize(place)
    }

    /// The new file is in place: a fault now leaves open which one a power cut would leave.
    private static func synchronize(_ place: EncryptedFilePlace) throws(SecureStoreError) {
        do throws(SecureStoreError) {
            try place.synchronize()
        } catch {
            throw SecureStoreError(.timedOut, detail: error.detail)
        }
    }

    private func folderPath() throws(SecureStoreError) -> String {
        if let folder { return folder }
        return try UserFolder.data()
    }

    private func place() throws(SecureStoreError) -> EncryptedFilePlace {
        try EncryptedFilePlace(of: scope, in: folderPath())
    }

    private func items(at place: EncryptedFilePlace) throws(SecureStoreError) -> EncryptedItems? {
        guard let file = try place.contents() else { return nil }
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
