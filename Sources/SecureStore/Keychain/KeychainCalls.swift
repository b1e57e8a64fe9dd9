// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import AuthCore
import Foundation
import Security

/// The keychain's calls, which throw an error instead of returning a status.
enum KeychainCalls {
    /// Returns the item's data, or nil if the keychain reports that the item does not exist.
    static func read(_ query: [CFString: Any]) throws(SecureStoreError) -> SecretBytes? {
        var query = query
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        guard let found = try copy(query) else { return nil }
        guard let data = found as? Data else { throw SecureStoreError(.damaged, detail: "no data") }
        return SecretBytes(data)
    }

    /// Returns the data and the access group of one item that matches a query.
    ///
    /// Returns nil if the keychain reports that no item matches.
    static func readCopy(
        _ query: [CFString: Any]
    ) throws(SecureStoreError) -> (value: SecretBytes, accessGroup: String)? {
        var query = query
        query[kSecReturnData] = true
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        guard let found = try copy(query) else { return nil }
        guard
            let attributes = found as? [String: Any],
            let data = attributes[kSecValueData as String] as? Data,
            let group = attributes[kSecAttrAccessGroup as String] as? String
        else { throw SecureStoreError(.damaged, detail: "no data") }
        return (SecretBytes(data), group)
    }

    /// Returns the result of a query, or nil if the keychain reports that no item matches.
    static func copy(_ query: [CFString: Any]) throws(SecureStoreError) -> CFTypeRef? {
        var found: CFTypeRef?
        // Safe: the pointer refers to a variable that outlives the call. The call writes one object to it.
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try check(status)
        return found
    }

    /// Removes all items that match a query; it is not an error if no item matches.
    static func remove(_ query: [CFString: Any]) throws(SecureStoreError) {
        let status = SecItemDelete(query as CFDictionary)
        if status != errSecItemNotFound { try check(status) }
    }

    static func check(_ status: OSStatus) throws(SecureStoreError) {
        guard status == errSecSuccess else { throw SecureStoreError(keychain: status) }
    }
}

extension SecureStoreError {
    /// The status `errSecInDarkWake`, which not every SDK defines: the Mac woke without its screen.
    private static let inDarkWake: OSStatus = -25_320

    /// Creates the error for a keychain status.
    ///
    /// `errSecItemNotFound` is not an error: the item is absent. An unknown status never means that an item is absent.
    ///
    /// - Parameter status: The status of a failed call.
    init(keychain status: OSStatus) {
        let code: Code =
            switch status {
            case errSecInteractionNotAllowed, Self.inDarkWake: .locked
            case errSecMissingEntitlement: .missingEntitlement
            case errSecAuthFailed: .denied
            case errSecNotAvailable: .noProvider
            case errSecUserCanceled: .promptDismissed
            case errSecDiskFull: .full
            case errSecDecode: .damaged
            default: .failed
            }
        self.init(code, detail: "OSStatus \(status)")
    }
}
#endif
