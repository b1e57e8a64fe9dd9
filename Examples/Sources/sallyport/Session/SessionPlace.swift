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
        guard let place = try place() else { return MemoryStore(scope: scope) }
        let name = try PlaceName(choice.rawValue)
        return try StickyStore(places: [StickyStore.Place(name, place)], initially: name)
    }

    private func place() throws -> (any SecureStore)? {
        switch choice {
        case .keyring:
            KeyringStore(service: scope.service, account: scope.account)
        case .file:
            EncryptedFileStore(scope: scope, passphrase: try Self.passphrase(), deadline: .seconds(60))
        case .memory:
            nil
        }
    }

    /// From the environment, else from the person.
    private static func passphrase() throws -> Passphrase {
        if let text = ProcessInfo.processInfo.environment["SALLYPORT_PASSPHRASE"] { return try Passphrase(text) }
        return try Passphrase(
            try StandardInput.askHidden("Passphrase of the encrypted file:", instead: "Set SALLYPORT_PASSPHRASE.")
        )
    }
}
