#if canImport(Security)
import AuthCore
import Foundation
public import SecureStore

/// Where an app's settings are kept: the user defaults, which the system removes with the app.
///
/// On Linux they are in a file of the user's configuration.
public struct AppSettingsStore: Sendable {
    private let key: String
    private let suiteName: String?

    /// Names an app's settings.
    ///
    /// - Parameters:
    ///   - app: The app's reverse domain name: 1 to 128 characters out of letters, digits, `.`, `-` and `_`, the first
    ///     no dot.
    ///   - suiteName: The group of apps whose defaults they are in; nil for the app's own.
    /// - Throws: `SecureStoreError` (`invalidName`).
    public init(app: String, suiteName: String? = nil) throws(SecureStoreError) {
        let name = try StoreService(app).name
        guard !app.hasPrefix(".") else { throw SecureStoreError(.invalidName) }
        key = "\(AppSettingsFormat.member).\(name)"
        self.suiteName = suiteName
    }

    /// What an older version of the app kept in plain in the defaults, for `SessionBackend.store(_:takingOverFrom:)`.
    ///
    /// - Parameter member: Its key.
    /// - Returns: The place.
    /// - Throws: Nothing here; elsewhere, where the user has no home.
    public func olderPlace(member: String = "authToken") throws(SecureStoreError) -> any OlderPlace {
        UserDefaultsValue(PlaceName(trusted: "settings"), key: member, suiteName: suiteName)
    }

    /// Reads the settings.
    ///
    /// - Returns: What was saved. Where nothing was, or it can't be read, the settings of a first launch: an onboarding
    ///   too many does no harm.
    public func load() -> AppSettings {
        (try? AppSettingsFormat.settings(value())) ?? AppSettings()
    }

    /// Writes the settings; the system keeps them when it finds the time.
    ///
    /// - Parameter settings: What to keep.
    /// - Throws: `SecureStoreError` (`newerFormat` where a newer version of the app has written there; `denied` where
    ///   there is no such group of apps). What was saved before is still there then.
    public func save(_ settings: AppSettings) throws(SecureStoreError) {
        guard let defaults else { throw SecureStoreError(.denied, detail: "no such group of apps") }
        _ = try AppSettingsFormat.settings(value())
        defaults.set(String(decoding: AppSettingsFormat.text(settings, in: nil), as: UTF8.self), forKey: key)
    }

    /// The same text as in a file elsewhere: one form to read forever.
    private func value() -> JSONValue? {
        guard let text = defaults?.string(forKey: key) else { return nil }
        return JSONDocument(Array(text.utf8))?[AppSettingsFormat.member]
    }

    private var defaults: UserDefaults? {
        guard let suiteName else { return .standard }
        return UserDefaults(suiteName: suiteName)
    }
}
#endif
