import AuthCore
import AuthSession
import SecureStore
import Umuve

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opens the place that an app's session is kept in.
enum ShellStore {
    /// Opens it; nothing is read yet.
    ///
    /// - Parameters:
    ///   - choice: Which place.
    ///   - brand: Whose session.
    ///   - profile: Which of several.
    ///   - backend: Whose session it is: a token that an older version of the app left becomes one.
    /// - Returns: The store.
    /// - Throws: `SecureStoreError` where a name or the passphrase can't be used.
    static func open(
        _ choice: StoreChoice,
        of brand: Brand,
        profile: String,
        for backend: SessionBackend
    ) throws -> any SecureStore {
        let service = try StoreService(brand.bundleIdentifier)
        let scope = StoreScope(service: service, account: try StoreAccount(profile))
        switch choice {
        case .memory: return MemoryStore(scope: scope)
        case .keyring:
            let store = KeyringStore(service: scope.service, account: scope.account)
            return try backend.store(store, takingOverFrom: try olderPlaces(of: brand, scope.account))
        case .file:
            let text = ProcessInfo.processInfo.environment["SALLYPORT_PASSPHRASE"] ?? ""
            let store = EncryptedFileStore(scope: scope, passphrase: try Passphrase(text), deadline: .seconds(60))
            return try backend.store(store, takingOverFrom: [try settings(of: brand)])
        }
    }

    /// Where older versions of the app kept their token: another service of the keyring first, then plain settings.
    private static func olderPlaces(of brand: Brand, _ account: StoreAccount) throws -> [any OlderPlace] {
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
