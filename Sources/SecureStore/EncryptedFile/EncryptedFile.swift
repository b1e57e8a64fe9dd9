// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore

/// The file of one store, with blocking calls for one thread.
///
/// Every call reads and checks the file again, because another process may have written it. The keys are derived once,
/// and again if the salt or cost in the file changes.
final class EncryptedFile {
    private let scope: StoreScope
    /// An absolute path; nil for the user's data folder.
    private let folder: String?
    private let secret: FileSecret
    private let cost: ScryptCost
    private var passphrase: Passphrase?
    /// The time that the present call has to get a key.
    var keyDeadline = KeyDeadline(in: .zero)
    /// The keys derived last, kept even if they don't open the file, so that scrypt does not run again for nothing.
    private var derived: (derivation: KeyDerivation, keys: FileKeys)?

    init(of scope: StoreScope, in folder: String?, secret: FileSecret, cost: ScryptCost) {
        (self.scope, self.folder, self.secret, self.cost) = (scope, folder, secret, cost)
    }

    /// Returns the name of a scope's file, which does not show the scope.
    static func name(of scope: StoreScope) -> String { ScopeFileName.of("encrypted file", scope, ending: "sallyport") }

    /// The folder of a scope's files, which may not exist yet.
    static func folder(_ folder: String?, of scope: StoreScope) throws(SecureStoreError) -> String {
        if let folder { return folder }
        return try UserFolder.data(of: scope)
    }

    /// Returns the file and the path of its lock, in a folder that is this user's and closed to all others.
    private func open() throws(SecureStoreError) -> (file: AtomicFile, lock: String) {
        let folder = try PrivateFolder(Self.folder(folder, of: scope))
        let lock = folder.file(ScopeFileName.of("encrypted file", scope))
        return (AtomicFile(folder.file(Self.name(of: scope))), lock)
    }

    /// Returns the items, or nil if the file does not exist.
    func items() throws -> [StoreKey: SecretBytes]? { try read(open().file)?.items }

    /// Writes or removes an item under the lock of all processes.
    ///
    /// - Parameters:
    ///   - item: The new item; nil to remove the present one.
    ///   - mayWait: Returns whether there is time to wait for the lock; throws if the caller has left.
    ///   - isExpected: Whether the present item may be replaced.
    /// - Returns: Whether it was.
    func replace(
        _ key: StoreKey,
        with item: SecretBytes?,
        mayWait: () throws -> Bool,
        if isExpected: (SecretBytes?) -> Bool = { _ in true }
    ) throws -> Bool {
        let (file, lockPath) = try open()
        // Derives the keys before it takes the lock, so that no other process waits for scrypt.
        let before = try read(file)?.derivation ?? newDerivation()
        let lock = try FileLock.blocking(at: lockPath, "encrypted file", mayWait: mayWait)
        defer { withExtendedLifetime(lock) {} }
        let present = try read(file)
        var items = present?.items ?? [:]
        guard isExpected(items[key]) else { return false }
        // An equal item is written too, with another nonce.
        guard item != nil || items[key] != nil else { return true }
        items[key] = item
        let derivation = present?.derivation ?? before
        let keys = try keys(for: derivation)
        let bytes = try EncryptedFileFormat.seal(items, derivation, keys, of: scope)
        // A caller that has left has nothing written.
        _ = try mayWait()
        try file.removeDrafts()
        try file.replace(with: bytes)
        if items.isEmpty {
            FileKeys.removeKept(salt: derivation.salt)
        } else if present == nil {
            keep(keys, derivation)
        }
        do throws(SecureStoreError) {
            try file.synchronize()
        } catch {
            // The new file is in place, but a power cut may bring the old one back: the outcome is unknown.
            throw SecureStoreError(.timedOut, detail: error.detail)
        }
        return true
    }

    func removeDerivedKey() throws(SecureStoreError) {
        guard let bytes = try contents(open().file) else { return }
        FileKeys.removeKept(salt: try FileHeader(of: bytes).derivation.salt)
    }

    // MARK: Reading

    private func contents(_ file: AtomicFile) throws(SecureStoreError) -> [UInt8]? {
        try file.read(atMost: EncryptedFileFormat.maximumSize)?.bytes
    }

    private func read(_ file: AtomicFile) throws -> (derivation: KeyDerivation, items: [StoreKey: SecretBytes])? {
        guard let bytes = try contents(file) else { return nil }
        let header = try FileHeader(of: bytes)
        let keys = try keys(opening: header)
        return (header.derivation, try EncryptedFileFormat.open(bytes, header, keys, of: scope))
    }

    // MARK: Keys

    private func newDerivation() throws -> KeyDerivation {
        let derivation = if case .key = secret { KeyDerivation(cost: nil) } else { KeyDerivation(cost: cost) }
        _ = try keys(for: derivation)
        return derivation
    }

    /// Returns keys that open the file: those derived last, those that the kernel keeps, or new ones.
    private func keys(opening header: FileHeader) throws -> FileKeys {
        let derivation = header.derivation
        let isKnown = derived?.derivation == derivation
        if !isKnown, derivation.cost != nil, case .passphrase(let source, keepsDerivedKey: true) = secret,
            let kept = FileKeys.kept(try passphrase(from: source), for: header)
        {
            derived = (derivation, kept)
            return kept
        }
        let keys = try keys(for: derivation)
        guard ConstantTime.equal(keys.check, header.check) else {
            throw SecureStoreError(.wrongPassphrase, detail: derivation.cost == nil ? "key" : nil)
        }
        if !isKnown { keep(keys, derivation) }
        return keys
    }

    private func keys(for derivation: KeyDerivation) throws -> FileKeys {
        if let derived, derived.derivation == derivation { return derived.keys }
        let keys: FileKeys
        switch (secret, derivation.cost) {
        case (.key(let source), nil):
            keys = FileKeys(try key(from: source), salt: derivation.salt)
        case (.passphrase(let source, _), let cost?):
            keys = try FileKeys(passphrase(from: source), cost, salt: derivation.salt)
        case (.key, _?):
            throw SecureStoreError(.wrongPassphrase, detail: "key (the file was made under a passphrase)")
        case (.passphrase, nil):
            throw SecureStoreError(.wrongPassphrase, detail: "passphrase (the file was made under a key)")
        }
        derived = (derivation, keys)
        return keys
    }

    /// Gets the key, with a prompt or a wait if its source needs one; does nothing for a passphrase.
    func unlock() throws {
        if case .key(let source) = secret { _ = try source(keyDeadline) }
    }

    /// Gets the key; `locked` if its source is late, or the user dismissed its prompt.
    private func key(from source: (KeyDeadline) throws -> FileKey) throws -> FileKey {
        do {
            return try source(keyDeadline)
        } catch let error as SecureStoreError where [.timedOut, .promptDismissed].contains(error.code) {
            throw SecureStoreError(.locked, detail: error.detail)
        }
    }

    private func passphrase(from source: () throws -> Passphrase) throws -> Passphrase {
        if let passphrase { return passphrase }
        let new = try source()
        passphrase = new
        return new
    }

    /// Keeps keys that open the file, if the app asked for it.
    private func keep(_ keys: FileKeys, _ derivation: KeyDerivation) {
        guard case .passphrase(_, keepsDerivedKey: true) = secret, let passphrase else { return }
        keys.keep(passphrase, salt: derivation.salt)
    }
}
#endif
