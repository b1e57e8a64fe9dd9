import ArgumentParser
import AuthCore
import AuthSession
import SecureStore
import UmuveBrands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opens the place that an app's session is kept in.
enum ShellStore {
    /// The place that a session is kept in: the chosen one, else the one that it is in already, else the keyring.
    ///
    /// - Parameters:
    ///   - choice: What the person chose.
    ///   - scope: Whose session.
    /// - Returns: Which place.
    /// - Throws: `ValidationError` where the session is in another place than the chosen one; `SecureStoreError` where what
    ///   is remembered of it can't be read.
    static func place(_ choice: StoreChoice?, of scope: StoreScope) throws -> StoreChoice {
        let recorded = try StickyStore.recordedPlace(of: scope).flatMap { StoreChoice(rawValue: $0.name) }
        guard let choice else { return recorded ?? .keyring }
        guard let recorded, choice != .memory, recorded != choice else { return choice }
        throw ValidationError(
            "The session of this profile is kept in the \(recorded.rawValue). Leave --store out, sign out first, or use "
                + "another --profile."
        )
    }

    /// Opens it; nothing is read yet.
    ///
    /// A sign-out that can't remove the session now is remembered.
    ///
    /// - Parameters:
    ///   - choice: Which place.
    ///   - brand: Whose session.
    ///   - scope: Which of several.
    ///   - backend: Whose session it is: a token that an older version of the app left becomes one.
    /// - Returns: The store.
    /// - Throws: `ValidationError` where the passphrase can't be used; `SecureStoreError` where a name can't.
    static func open(
        _ choice: StoreChoice,
        of brand: Brand,
        _ scope: StoreScope,
        for backend: SessionBackend
    ) throws -> any SecureStore {
        let (keyring, file) = (try PlaceName("keyring"), try PlaceName("file"))
        let inKeyring = KeyringStore(service: scope.service, account: scope.account)
        switch choice {
        case .memory: return MemoryStore(scope: scope)
        case .keyring:
            let store = try backend.store(inKeyring, takingOverFrom: try olderPlaces(of: brand, scope.account))
            return try StickyStore(places: [StickyStore.Place(keyring, store)], initially: keyring)
        case .file:
            let store = EncryptedFileStore(scope: scope, passphrase: try passphrase(), deadline: .seconds(60))
            let older = scope.account == .default ? [try settings(of: brand)] : []
            let inFile = try backend.store(store, takingOverFrom: older)
            // The keyring too: what was signed out of while it was locked is to be removed there.
            let places = [StickyStore.Place(keyring, inKeyring), StickyStore.Place(file, inFile)]
            return try StickyStore(places: places, initially: file)
        }
    }

    private static func passphrase() throws -> Passphrase {
        guard let text = ProcessInfo.processInfo.environment["SALLYPORT_PASSPHRASE"], !text.isEmpty else {
            throw ValidationError("Set SALLYPORT_PASSPHRASE to the passphrase of the encrypted file.")
        }
        do {
            return try Passphrase(text)
        } catch {
            throw ValidationError("SALLYPORT_PASSPHRASE: \(error)")
        }
    }

    /// Where older versions of the app kept their token: another service of the keyring first, then plain settings.
    ///
    /// They knew one person: what they left is nobody's who has a profile of another name.
    private static func olderPlaces(of brand: Brand, _ account: StoreAccount) throws -> [any OlderPlace] {
        guard account == .default else { return [] }
        let key = try StoreKey("authToken")
        let keyrings = try brand.olderServices.map { service -> any OlderPlace in
            let store = KeyringStore(service: try StoreService(service), account: account)
            return OlderStoreItem(try PlaceName(service), in: store, forKey: key)
        }
        return keyrings + [try settings(of: brand)]
    }

    private static func settings(of brand: Brand) throws -> any OlderPlace {
        try AppSettingsStore(app: brand.bundleIdentifier).olderPlace()
    }
}
