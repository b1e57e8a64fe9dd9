// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
import AuthCore
import Foundation
public import SecureStore

/// The store of an app's settings: `app-settings.json` in the app's configuration folder.
///
/// Removing the folder makes the next launch a first launch. On Apple platforms, the settings are in the user defaults.
///
/// Older versions kept their settings, and a token, in `settings.json` beside it. This type only reads that file: the
/// session's migration removes the token from it, and a write at the same time could bring the token back.
public struct AppSettingsStore: Sendable {
    private let folder: URL
    private let legacyOnboardingKeys: [String]

    /// Creates a store for an app's settings.
    ///
    /// - Parameters:
    ///   - app: The app's reverse domain name.
    ///   - legacyOnboardingKeys: The names of the flags with which older versions of the app recorded that the
    ///     onboarding was completed. Each counts until settings are saved.
    public init(app: String, legacyOnboardingKeys: [String] = []) {
        self.init(folder: ConfigurationFolder.url(of: app), legacyOnboardingKeys: legacyOnboardingKeys)
    }

    /// Creates a store in a folder, which the first save creates with mode 0700.
    init(folder: URL, legacyOnboardingKeys: [String] = []) {
        (self.folder, self.legacyOnboardingKeys) = (folder, legacyOnboardingKeys)
    }

    private var file: URL { folder.appending(path: "app-settings.json") }
    private var legacyFile: URL { folder.appending(path: "settings.json") }

    /// Returns a member of an older version's settings, in which it kept a part of its session unencrypted.
    public func legacyItem(_ name: String) -> LegacyItem {
        .settings(path: legacyFile.path, member: name)
    }

    /// Reads the settings; those of a first launch if there are no settings that this user alone can have written.
    ///
    /// Showing the onboarding again does no harm.
    public func load() -> AppSettings {
        let manager = FileManager.default
        if let status = try? manager.attributesOfItem(atPath: file.path) {
            guard
                status[.type] as? FileAttributeType == .typeRegular, (status[.size] as? Int ?? .max) <= 65_536,
                (status[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(),
                (status[.posixPermissions] as? Int ?? 0o777) & 0o022 == 0, let data = try? Data(contentsOf: file)
            else { return AppSettings() }
            return (try? JSONDecoder().decode(AppSettings.self, from: data)) ?? AppSettings()
        }
        let legacy = try? JSONDecoder().decode([String: JSONValue].self, from: Data(contentsOf: legacyFile))
        return AppSettings(isOnboardingCompleted: legacyOnboardingKeys.contains { Self.isSet(legacy?[$0]) })
    }

    /// Saves the settings, in a file that only this user can read.
    ///
    /// - Throws: Foundation's error. The settings saved before then remain.
    public func save(_ settings: AppSettings) throws {
        let manager = FileManager.default
        try manager.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try JSONEncoder().encode(settings).write(to: file, options: .atomic)
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Returns whether an older version's flag is true: a Boolean, 1, or a text such as `YES`.
    private static func isSet(_ value: JSONValue?) -> Bool {
        switch value {
        case .boolean(let flag): flag
        case .integer(let number): number == 1
        case .number(let number): number == 1
        case .string(let text): ["1", "true", "yes"].contains(text.lowercased())
        default: false
        }
    }
}
#endif
