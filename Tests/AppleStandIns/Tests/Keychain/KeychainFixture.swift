// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore
import Security
import Testing

/// Serialized: one keychain is in use at a time.
@Suite(.serialized) struct KeychainTests {}

/// A keychain for one test, and a store on it.
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
        let scope = try StoreScope(service: "com.example.app", account: account)
        return KeychainStore(scope: scope, accessGroup: accessGroup, accessibility: accessibility)
    }
}

/// Returns the code of the store error that a call throws.
func storeCode(_ call: () async throws -> some Any) async -> SecureStoreError.Code? {
    do {
        _ = try await call()
        return nil
    } catch {
        return (error as? SecureStoreError)?.code
    }
}
