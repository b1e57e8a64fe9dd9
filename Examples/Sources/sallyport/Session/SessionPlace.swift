import ArgumentParser
import AuthCore
import FoundationEssentials
import SecureStore

/// Where a session is kept.
enum StoreChoice: String, ExpressibleByArgument, CaseIterable {
    case keyring
    case file
    case memory
}

/// The place of a profile's session: the one where it began, for as long as it lasts.
struct SessionPlace {
    let scope: StoreScope
    let choice: StoreChoice

    /// Finds the place.
    ///
    /// - Parameters:
    ///   - profile: Which session.
    ///   - choice: What the person asked for; nil for where the session is, and for the keyring where it is nowhere yet.
    /// - Throws: ``Failure`` where the session is elsewhere; `SecureStoreError`.
    init(profile: String, choice: StoreChoice?) throws {
        scope = StoreScope(service: try StoreService("sallyport"), account: try StoreAccount(profile))
        if choice == .memory {
            self.choice = .memory
            return
        }
        let recorded = try StickyStore.recordedPlace(of: scope).flatMap { StoreChoice(rawValue: $0.name) }
        if let choice, let recorded, recorded != choice {
            throw Failure(
                .wrongArguments,
                "The session of this profile is kept in the \(recorded.rawValue).",
                "Leave --store out, sign out first, or use another --profile."
            )
        }
        self.choice = choice ?? recorded ?? .keyring
    }

    /// Opens it; a removal that could not be made is remembered there.
    func open() throws -> any SecureStore {
        let (keyring, file) = (try PlaceName("keyring"), try PlaceName("file"))
        // In every case: it asks for nothing, and what was signed out of while it was locked is to be removed there.
        var places = [StickyStore.Place(keyring, inKeyring)]
        let store: StickyStore
        switch choice {
        case .memory:
            return MemoryStore(scope: scope)
        case .keyring:
            store = try StickyStore(places: places, initially: keyring)
        case .file:
            let inFile = EncryptedFileStore(scope: scope, passphrase: try Self.passphrase(), deadline: .seconds(60))
            places.append(StickyStore.Place(file, inFile))
            store = try StickyStore(places: places, initially: file)
        }
        PendingSignOut.watch(store)
        return store
    }

    private var inKeyring: KeyringStore { KeyringStore(service: scope.service, account: scope.account) }

    /// The sentence about entries that the keyring keeps, emptied; nil if it keeps none, or does not say.
    func leftover() async -> String? {
        guard choice == .keyring, let count = try? await inKeyring.emptiedItemCount(), count > 0 else { return nil }
        return "The keyring deletes nothing without asking. Emptied entries that it keeps: \(count)."
    }

    /// From the environment, else from the person.
    private static func passphrase() throws -> Passphrase {
        if let text = ProcessInfo.processInfo.environment["SALLYPORT_PASSPHRASE"] { return try Passphrase(text) }
        return try Passphrase(
            try StandardInput.askHidden("Passphrase of the encrypted file:", instead: "Set SALLYPORT_PASSPHRASE.")
        )
    }
}
