// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import AuthCore
import Foundation
import Security

extension LegacyItem {
    /// Describes a generic password in the data protection keychain, found by exactly its service and account.
    ///
    /// - Parameters:
    ///   - service: The service name that the older version used.
    ///   - account: The account name that it used.
    ///   - accessGroup: The keychain group of the item; nil for all of the app's.
    ///   - isSynchronized: Whether the older version let iCloud copy the item to the user's other devices. Its removal
    ///     is copied too, and signs out the older versions there.
    ///   - deadline: The time limit of a call.
    public static func keychain(
        service: String,
        account: String,
        accessGroup: String? = nil,
        isSynchronized: Bool = false,
        deadline: Duration = .seconds(5)
    ) -> LegacyItem {
        // A thread of its own, because a call may take long.
        let worker = BlockingWorker<Void>(label: "sallyport.keychain.older", ())
        let query = { @Sendable () -> [CFString: Any] in
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecAttrSynchronizable: isSynchronized,
                kSecUseDataProtectionKeychain: true,
            ]
            query[kSecAttrAccessGroup] = accessGroup
            return query
        }
        return LegacyItem(
            read: { try await worker.run(atMost: deadline) { _, _ in try KeychainCalls.read(query()) } },
            // All copies: several groups may each hold one.
            remove: { try await worker.run(atMost: deadline) { _, _ in try KeychainCalls.remove(query()) } }
        )
    }

    /// Describes a string, number or date in the user defaults, in which plain installs kept their token.
    ///
    /// A key that is missing or an empty string is no value; a number is its decimal text, a date its seconds since
    /// 1970. After a restart, the defaults read as empty until the first unlock. So use this only in a
    /// ``MigratingStore`` into a ``KeychainStore``, which is locked until then and reads no older place.
    ///
    /// `suiteName` is the group of apps that the defaults belong to; nil for the app's own. The item's calls throw
    /// `damaged` for another value, and `denied` if there is no such group.
    public static func userDefault(key: String = "authToken", suiteName: String? = nil) -> LegacyItem {
        let defaults = { @Sendable () throws(SecureStoreError) -> UserDefaults in
            guard let suiteName else { return .standard }
            guard let defaults = UserDefaults(suiteName: suiteName) else {
                throw SecureStoreError(.denied, detail: "unknown app group")
            }
            return defaults
        }
        return LegacyItem(
            read: {
                guard let found = try defaults().object(forKey: key) else { return nil }
                let text: String? =
                    switch found {
                    case let text as String: text
                    case let date as Date: "\(date.timeIntervalSince1970)"
                    default: (found as? Int).map { "\($0)" } ?? (found as? Double).map { "\($0)" }
                    }
                guard let text else { throw SecureStoreError(.damaged, detail: "the user defaults") }
                return text.isEmpty ? nil : SecretBytes(text.utf8)
            },
            remove: { try defaults().removeObject(forKey: key) }
        )
    }
}
#endif
