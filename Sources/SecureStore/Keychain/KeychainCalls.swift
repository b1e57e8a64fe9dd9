#if canImport(Security)
import AuthCore
import Foundation
import Security

/// The keychain's calls, with errors in place of statuses.
enum KeychainCalls {
    /// The data of the item; nil where the keychain says that there is none.
    static func read(_ query: [CFString: Any]) throws(SecureStoreError) -> SecretBytes? {
        var query = query
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        guard let found = try copy(query) else { return nil }
        guard let data = found as? Data else { throw SecureStoreError(.damaged, detail: "no data") }
        return SecretBytes(data)
    }

    /// The data of one item that a query finds, and the group that it is in; nil where the keychain says that there is none.
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

    /// What a query finds; nil where the keychain says that it finds nothing.
    static func copy(_ query: [CFString: Any]) throws(SecureStoreError) -> CFTypeRef? {
        var found: CFTypeRef?
        // Safe: the pointer is to a variable that outlives the call, which writes one object to it.
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try check(status)
        return found
    }

    /// Removes all that a query finds; nothing is no error.
    static func remove(_ query: [CFString: Any]) throws(SecureStoreError) {
        let status = SecItemDelete(query as CFDictionary)
        if status != errSecItemNotFound { try check(status) }
    }

    static func check(_ status: OSStatus) throws(SecureStoreError) {
        guard status == errSecSuccess else { throw SecureStoreError(keychain: status) }
    }
}
#endif
