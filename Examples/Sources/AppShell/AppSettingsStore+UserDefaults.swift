// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
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
    ///   - app: The app's reverse domain name.
    ///   - legacyOnboardingKeys: The keys of the flags with which older versions of the app recorded that the
    ///     onboarding was completed. Each counts until settings are saved, which removes it.
    public init(app: String, legacyOnboardingKeys: [String] = []) {
        self.init(app: app, suiteName: nil, legacyOnboardingKeys: legacyOnboardingKeys)
    }

    /// Creates a store in the defaults of an app group; nil for the app's own.
    init(app: String, suiteName: String?, legacyOnboardingKeys: [String] = []) {
        key = "sallyport.\(app)"
        (self.suiteName, self.legacyOnboardingKeys) = (suiteName, legacyOnboardingKeys)
    }

    /// Returns a default in which an older version of the app kept a part of its session unencrypted.
    public func legacyItem(_ name: String) -> LegacyItem {
        .userDefault(key: name, suiteName: suiteName)
    }

    /// Reads the settings; those of a first launch if there are none or they can't be read.
    ///
    /// Showing the onboarding again does no harm.
    public func load() -> AppSettings {
        let saved = defaults?.data(forKey: key)
        var settings = saved.flatMap { try? JSONDecoder().decode(AppSettings.self, from: $0) } ?? AppSettings()
        // A number or a text such as `YES` counts too.
        if legacyOnboardingKeys.contains(where: { defaults?.bool(forKey: $0) == true }) {
            settings.isOnboardingCompleted = true
        }
        return settings
    }

    /// Saves the settings; the system writes them to disk later.
    public func save(_ settings: AppSettings) throws {
        defaults?.set(try JSONEncoder().encode(settings), forKey: key)
        legacyOnboardingKeys.forEach { defaults?.removeObject(forKey: $0) }
    }

    private var defaults: UserDefaults? { suiteName.map { UserDefaults(suiteName: $0) } ?? .standard }
}
#endif
