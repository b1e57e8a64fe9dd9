import AuthCore
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
    /// - Returns: The store.
    /// - Throws: `SecureStoreError` where a name or the passphrase can't be used.
    static func open(_ choice: StoreChoice, of brand: Brand, profile: String) throws -> any SecureStore {
        let service = try StoreService(brand.bundleIdentifier)
        let scope = StoreScope(service: service, account: try StoreAccount(profile))
        switch choice {
        case .memory: return MemoryStore(scope: scope)
        case .keyring: return KeyringStore(service: scope.service, account: scope.account)
        case .file:
            let text = ProcessInfo.processInfo.environment["SALLYPORT_PASSPHRASE"] ?? ""
            return EncryptedFileStore(scope: scope, passphrase: try Passphrase(text), deadline: .seconds(60))
        }
    }
}
