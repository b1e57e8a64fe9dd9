// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import FoundationEssentials
import SecureStore
import SessionStores
import Synchronization

/// A kind of store for a session.
enum StoreChoice: String, ExpressibleByArgument, CaseIterable {
    case keyring
    case file
    case memory
}

/// The location of a profile's session, which stays the same for as long as the session lasts.
struct SessionLocation {
    let scope: StoreScope
    let choice: StoreChoice
    private let fileSecret: FileStoreSecret
    /// Whether the profile has no stored session.
    private let isNew: Bool
    /// The maximum wait for another process that changes the session.
    private let lockTimeout: Duration

    /// Finds the location.
    ///
    /// - Parameters:
    ///   - profile: The name of the session's profile.
    ///   - choice: The user's choice, or nil for the current location of the session, by default the keyring.
    ///   - fileSecret: The secret of the encrypted file.
    ///   - lockTimeout: The time that a change waits for that of another process.
    /// - Throws: ``Failure`` if the session is in another location; `SecureStoreError`.
    init(profile: String, choice: StoreChoice?, fileSecret: FileStoreSecret, lockTimeout: Duration) throws {
        (self.fileSecret, self.lockTimeout) = (fileSecret, lockTimeout)
        scope = try StoreScope(service: Self.service, account: profile)
        Self.last.withLock { [scope] in $0 = scope }
        if choice == .memory {
            (self.choice, isNew) = (.memory, true)
            return
        }
        let recorded = try StoreRecord(of: scope).choice(of: StoreChoice.self)
        if let choice, let recorded, recorded != choice {
            throw Failure(
                .wrongArguments,
                "The session of this profile is kept in the \(recorded.rawValue).",
                "Omit --store, sign out first, or use another --profile."
            )
        }
        self.choice = choice ?? recorded ?? .keyring
        isNew = recorded == nil
    }

    /// The scope of the session that this command uses, for an error that names the process that holds its lock.
    static let last = Mutex<StoreScope?>(nil)

    static let service = "sallyport"

    /// Returns the scopes of all profiles with a session in the keyring or the encrypted file.
    static func recordedScopes() throws -> [StoreScope] {
        try StoreRecord.scopes(of: service)
    }

    /// Opens the store, which remembers a removal that fails.
    ///
    /// - Parameters:
    ///   - prompting: Whether the user is asked for the passphrase of the encrypted file if the environment has none.
    ///   - creating: Whether the caller will save a session. The passphrase of a new file is then asked for twice.
    /// - Returns: The store.
    /// - Throws: ``Failure`` if there is no passphrase; `SecureStoreError`.
    func open(prompting: Bool = true, creating: Bool = false) throws -> any SecureStore {
        let keyring = (StoreChoice.keyring.rawValue, pendingRemovals(inKeyring, .keyring))
        let store: RecordedStore
        switch choice {
        case .memory:
            return MemoryStore(scope: scope)
        case .keyring:
            // With the file, to remove a session that was signed out while the file could not be used.
            let others = [(StoreChoice.file.rawValue, leftFile)]
            store = try RecordedStore(keyring, others: others, lockTimeout: lockTimeout)
        case .file:
            let inFile = try fileSecret.store(of: scope, prompting: prompting, isNew: creating && isNew)
            // With the keyring, to remove a session that was signed out while it was locked.
            let removals = pendingRemovals(inFile, .file)
            store = try RecordedStore((choice.rawValue, removals), others: [keyring], lockTimeout: lockTimeout)
        }
        PendingSignOut.watch(store)
        return store
    }

    /// The encrypted file of a profile whose session is elsewhere.
    ///
    /// Opened only if a removal is pending in it, because the passphrase may come from a command; the user is not asked.
    private var leftFile: PendingRemovals {
        let unopened = pendingRemovals(file, .file)
        guard (try? unopened.pending)?.isEmpty == false,
            let opened = try? fileSecret.store(of: scope, prompting: false, isNew: false)
        else { return unopened }
        return pendingRemovals(opened, .file)
    }

    private func pendingRemovals(_ store: any SecureStore, _ choice: StoreChoice) -> PendingRemovals {
        PendingRemovals(store, named: choice.rawValue, lockTimeout: lockTimeout)
    }

    private var inKeyring: KeyringStore { KeyringStore(scope: scope) }

    /// The path of the encrypted file; nil if its folder can't be used.
    var filePath: String? { try? file.path }

    /// Removes the key that the kernel keeps for the encrypted file, at the end of a session.
    func removeDerivedKey() async {
        guard choice == .file else { return }
        // Nothing to report: the kernel deletes it in fifteen minutes.
        try? await file.removeDerivedKey()
    }

    /// The encrypted file, which is not opened.
    private var file: EncryptedFileStore {
        EncryptedFileStore(scope: scope) { throw SecureStoreError(.invalidPassphrase) }
    }
}
