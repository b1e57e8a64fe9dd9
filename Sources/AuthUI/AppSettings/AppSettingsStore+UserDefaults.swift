// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import AuthCore
import Foundation
public import SecureStore

/// The store of an app's settings: the user defaults, which the system removes with the app.
///
/// On Linux, the settings are in a file in the user's configuration folder.
public struct AppSettingsStore: Sendable {
    private let key: String
    private let suiteName: String?
    private let legacyOnboardingKeys: [String]

    /// Creates a store for an app's settings.
    ///
    /// - Parameters:
    ///   - app: The app's reverse domain name: 1 to 128 letters, digits, `.`, `-` and `_`. The first character is no
    ///     dot.
    ///   - suiteName: The app group whose defaults are used, or nil for the app's own.
    ///   - legacyOnboardingKeys: The keys of the flags with which older versions of the app recorded that the
    ///     onboarding was completed. Each counts until settings are saved, which removes it.
    /// - Throws: `SecureStoreError` (`invalidName`).
    public init(
        app: String,
        suiteName: String? = nil,
        legacyOnboardingKeys: [String] = []
    ) throws(SecureStoreError) {
        let name = try StoreKey(app).name
        guard !app.hasPrefix(".") else { throw SecureStoreError(.invalidName) }
        key = "\(AppSettingsFormat.member).\(name)"
        self.suiteName = suiteName
        self.legacyOnboardingKeys = legacyOnboardingKeys
    }

    /// Returns a default in which an older version of the app kept a part of its session unencrypted.
    ///
    /// A place for `SessionBackend.store(_:migratingFrom:names:)`: `{ try settings.legacyItem($0) }`.
    ///
    /// - Parameter name: The key of the default; on Linux the member's name.
    /// - Throws: `SecureStoreError` (`denied`) on Linux if the user has no home directory. Never throws on Apple
    ///   platforms.
    public func legacyItem(_ name: String) throws(SecureStoreError) -> LegacyItem {
        .userDefault(key: name, suiteName: suiteName)
    }

    /// Reads the settings.
    ///
    /// - Returns: The saved settings, or those of a first launch if there are no settings or they can't be read.
    ///   Showing the onboarding again does no harm.
    public func load() -> AppSettings {
        guard var settings = try? AppSettingsFormat.settings(value()) else { return AppSettings() }
        // A number or a text such as `YES` counts too.
        if legacyOnboardingKeys.contains(where: { defaults?.bool(forKey: $0) == true }) {
            settings.isOnboardingCompleted = true
        }
        return settings
    }

    /// Saves the settings; the system writes them to disk later.
    ///
    /// The flags of older versions are removed.
    ///
    /// - Parameter settings: The settings to save.
    /// - Throws: `SecureStoreError` (`newerFormat` if a newer version of the app has saved settings; `denied` if the
    ///   app group does not exist). The settings saved before then remain.
    public func save(_ settings: AppSettings) throws(SecureStoreError) {
        guard let defaults else { throw SecureStoreError(.denied, detail: "unknown app group") }
        _ = try AppSettingsFormat.settings(value())
        defaults.set(String(decoding: try AppSettingsFormat.text(settings), as: UTF8.self), forKey: key)
        legacyOnboardingKeys.forEach(defaults.removeObject)
    }

    /// Returns the stored member, whose text is the same as in the file on Linux so that there is one format.
    private func value() -> JSONValue? {
        guard let text = defaults?.string(forKey: key) else { return nil }
        return try? JSONValue.object(in: Array(text.utf8))[AppSettingsFormat.member]
    }

    private var defaults: UserDefaults? {
        guard let suiteName else { return .standard }
        return UserDefaults(suiteName: suiteName)
    }
}
#endif
