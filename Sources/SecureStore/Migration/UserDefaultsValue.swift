// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
public import AuthCore
import Foundation

/// A string in the user defaults of an Apple system, in which plain installs kept their token.
///
/// A key that is missing or an empty string is no value. After a restart, the defaults read as empty until the first
/// unlock. So use this location only in a ``MigratingStore`` into a ``KeychainStore``, which is locked until then and
/// reads no older location.
public struct UserDefaultsValue: LegacyItemSource {
    /// The name of the location.
    public let name: StoreLocationName
    private let key: String
    private let suiteName: String?
    private let acceptsNumbers: Bool

    /// Describes a value.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - key: The value's key, for example `authToken`.
    ///   - suiteName: The group of apps that the defaults belong to; nil for the app's own.
    ///   - acceptsNumbers: Whether a number is a value too, as its decimal text, and a date, in seconds since 1970.
    public init(
        _ name: StoreLocationName,
        key: String = "authToken",
        suiteName: String? = nil,
        acceptsNumbers: Bool = false
    ) {
        (self.name, self.key, self.suiteName, self.acceptsNumbers) = (name, key, suiteName, acceptsNumbers)
    }

    /// Reads the value.
    ///
    /// - Returns: The string's bytes in UTF-8, secret; nil if there is no such value.
    /// - Throws: ``SecureStoreError`` (`damaged` if the value is of another type; `denied` if there is no such group
    ///   of apps).
    public func item() async throws -> SecretBytes? {
        try value(in: defaults())
    }

    /// Removes the value only if it still is the expected one.
    ///
    /// - Parameter expected: The value that must be present. Secret.
    /// - Returns: Whether the value is gone.
    /// - Throws: ``SecureStoreError`` as a read does.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        let defaults = try defaults()
        guard let found = try value(in: defaults) else { return true }
        guard found == expected else { return false }
        defaults.removeObject(forKey: key)
        return true
    }

    private func value(in defaults: UserDefaults) throws(SecureStoreError) -> SecretBytes? {
        guard let found = defaults.object(forKey: key) else { return nil }
        guard let text = found as? String ?? number(found) else {
            throw SecureStoreError(.damaged, detail: "the user defaults")
        }
        return text.isEmpty ? nil : SecretBytes(text.utf8)
    }

    /// Returns a number's or a date's text; nil if it is another value, or numbers are not accepted.
    private func number(_ found: Any) -> String? {
        guard acceptsNumbers else { return nil }
        if let date = found as? Date { return "\(date.timeIntervalSince1970)" }
        return (found as? Int).map { "\($0)" } ?? (found as? Double).map { "\($0)" }
    }

    private func defaults() throws(SecureStoreError) -> UserDefaults {
        guard let suiteName else { return .standard }
        guard let defaults = UserDefaults(suiteName: suiteName) else {
            throw SecureStoreError(.denied, detail: "unknown app group")
        }
        return defaults
    }
}
#endif
