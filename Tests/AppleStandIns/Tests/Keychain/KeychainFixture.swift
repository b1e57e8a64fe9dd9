import AuthCore
import SecureStore
import Security
import Testing

/// One after the other: one keychain is in use at a time.
@Suite(.serialized) struct KeychainTests {}

/// A keychain of a test's own, and a store on it.
struct KeychainFixture {
    let keychain = StandInKeychain()
    let store: KeychainStore
    let key: StoreKey
    let item = SecretBytes("a token".utf8)

    init(accessGroup: String? = nil, accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly) throws {
        keychain.setGroups(["app", "family"])
        keychain.use()
        store = try Self.store(accessGroup: accessGroup, accessibility: accessibility)
        key = try StoreKey("session")
    }

    static func store(
        account: String = "default",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly
    ) throws -> KeychainStore {
        try KeychainStore(
            service: "com.example.app",
            account: account,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}

/// The code of the store's error that a call ends with.
func storeCode(_ call: () async throws -> some Any) async -> SecureStoreError.Code? {
    do {
        _ = try await call()
        return nil
    } catch {
        return (error as? SecureStoreError)?.code
    }
}
