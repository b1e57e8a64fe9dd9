#if canImport(Security)
public import AuthCore
import Foundation

/// A string in the user defaults of an Apple system, as plain installs kept their token.
///
/// A key that is missing or an empty string is no value. The defaults read as empty before the first unlock after a start:
/// so it is a place for a ``MigratingStore`` into a ``KeychainStore``, which is locked until then and asks no older place.
public struct UserDefaultsValue: OlderPlace {
    /// What the place is called.
    public let name: PlaceName
    private let key: String
    private let suiteName: String?

    /// Names a value.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - key: Its key: `authToken`, say.
    ///   - suiteName: The group of apps whose defaults it is in; nil for the app's own.
    public init(_ name: PlaceName, key: String = "authToken", suiteName: String? = nil) {
        (self.name, self.key, self.suiteName) = (name, key, suiteName)
    }

    /// Reads the value.
    ///
    /// - Returns: The string's bytes in UTF-8, secret; nil where there is no such value.
    /// - Throws: ``SecureStoreError`` (`damaged` where anything but a string is there; `denied` where there is no such
    ///   group of apps).
    public func item() async throws -> SecretBytes? {
        try Self.value(of: key, in: defaults())
    }

    /// Removes the value only where it still is the expected one.
    ///
    /// - Parameter expected: What it must be. Secret.
    /// - Returns: Whether the value is gone.
    /// - Throws: ``SecureStoreError`` as a read does.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        let defaults = try defaults()
        guard let found = try Self.value(of: key, in: defaults) else { return true }
        guard found == expected else { return false }
        defaults.removeObject(forKey: key)
        return true
    }

    private static func value(of key: String, in defaults: UserDefaults) throws(SecureStoreError) -> SecretBytes? {
        guard let found = defaults.object(forKey: key) else { return nil }
        guard let text = found as? String else { throw SecureStoreError(.damaged, detail: "the user defaults") }
        return text.isEmpty ? nil : SecretBytes(text.utf8)
    }

    private func defaults() throws(SecureStoreError) -> UserDefaults {
        guard let suiteName else { return .standard }
        guard let defaults = UserDefaults(suiteName: suiteName) else {
            throw SecureStoreError(.denied, detail: "no such group of apps")
        }
        return defaults
    }
}
#endif
