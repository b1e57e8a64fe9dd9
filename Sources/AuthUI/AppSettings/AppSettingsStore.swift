// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
import AuthCore
import AuthSession
public import SecureStore

/// The store of an app's settings: `settings.json` in the app's configuration folder.
///
/// The folder is `$XDG_CONFIG_HOME/<app>`, or `~/.config/<app>`. Removing it makes the next launch a first launch.
/// The file is replaced atomically, never written through a link, and members of other programs stay. If two
/// processes save at the same time, the settings of one of them remain. On Apple platforms, the settings are in the
/// user defaults.
public struct AppSettingsStore: Sendable {
    private static let fileName = "settings.json"
    /// The maximum size of the file, in bytes.
    private static let maximumSize = 1024 * 1024
    /// The maximum number of attempts if other programs change the file meanwhile.
    private static let attempts = 3

    /// The file, found at each use because the environment may be wrong and the app must start all the same.
    let file: @Sendable () throws(SecureStoreError) -> ConfigurationFile
    private let legacyOnboardingKeys: [String]

    /// Creates a store for an app's settings.
    ///
    /// - Parameters:
    ///   - app: The app's reverse domain name: 1 to 128 letters, digits, `.`, `-` and `_`. The first character is no
    ///     dot.
    ///   - legacyOnboardingKeys: The names of the flags with which older versions of the app recorded that the
    ///     onboarding was completed. Each counts until settings are saved, which removes it.
    /// - Throws: `SecureStoreError` (`invalidName`).
    public init(app: String, legacyOnboardingKeys: [String] = []) throws(SecureStoreError) {
        let app = try StoreKey(app).name
        // Excludes hidden folders and the parent folder.
        guard !app.hasPrefix(".") else { throw SecureStoreError(.invalidName) }
        file = { () throws(SecureStoreError) in try ConfigurationFile(Self.fileName, of: app) }
        self.legacyOnboardingKeys = legacyOnboardingKeys
    }

    /// Creates a store in a folder that the app chooses.
    ///
    /// - Parameters:
    ///   - folder: An absolute path. Saving settings creates the folder, with mode 0700.
    ///   - legacyOnboardingKeys: The names of older versions' flags, as above.
    public init(folder: String, legacyOnboardingKeys: [String] = []) {
        file = { ConfigurationFile(Self.fileName, in: folder) }
        self.legacyOnboardingKeys = legacyOnboardingKeys
    }

    /// Returns a member of these settings in which an older version of the app kept a part of its session unencrypted.
    ///
    /// A place for `SessionBackend.store(_:migratingFrom:names:)`: `{ try settings.legacyItem($0) }`.
    ///
    /// - Parameter name: The member's name; on Apple platforms the key of the default.
    /// - Throws: `SecureStoreError` (`denied`) on Linux if the user has no home directory. Never throws on Apple
    ///   platforms.
    public func legacyItem(_ name: String) throws(SecureStoreError) -> LegacyItem {
        .settings(path: try file().path, member: name)
    }

    /// Reads the settings.
    ///
    /// - Returns: The saved settings, or those of a first launch if there are no settings or they can't be read.
    ///   Showing the onboarding again does no harm.
    public func load() -> AppSettings {
        do throws(SecureStoreError) {
            let document = try file().read(atMost: Self.maximumSize).flatMap { try? JSONValue.object(in: $0) }
            var settings = try AppSettingsFormat.settings(document?[AppSettingsFormat.member])
            if legacyOnboardingKeys.contains(where: { AppSettingsFormat.isSet(document?[$0]) }) {
                settings.isOnboardingCompleted = true
            }
            return settings
        } catch {
            return AppSettings()
        }
    }

    /// Saves the settings; they are on disk when this returns.
    ///
    /// The flags of older versions are removed. A file that isn't a JSON object is kept beside them as
    /// `settings.json.damaged`.
    ///
    /// - Parameter settings: The settings to save.
    /// - Throws: `SecureStoreError` (`denied` if the user has no home directory, the folder is read-only, or the file
    ///   or folder is a link, belongs to another user, or is writable by everybody; `newerFormat` if a newer version of
    ///   the app has saved settings; `full`; `busy` if another program keeps writing the file; `failed`). The settings
    ///   saved before then remain.
    public func save(_ settings: AppSettings) throws(SecureStoreError) {
        let file = try file()
        for _ in 0..<Self.attempts {
            let content = try Self.content(of: file)
            _ = try AppSettingsFormat.settings(content?.document[AppSettingsFormat.member])
            let text = try AppSettingsFormat.text(
                settings,
                in: content?.document ?? [:],
                removing: legacyOnboardingKeys
            )
            guard text.count <= Self.maximumSize else { throw SecureStoreError(.full, detail: "the settings file") }
            if try file.replace(with: text, ifUnchangedFrom: content?.bytes) { return }
        }
        throw SecureStoreError(.busy, detail: "the settings file")
    }

    /// Returns the file's content as bytes and as an object, or nil if there is no file or a damaged one was set aside.
    private static func content(
        of file: ConfigurationFile
    ) throws(SecureStoreError) -> (bytes: [UInt8], document: [String: JSONValue])? {
        do throws(SecureStoreError) {
            guard let bytes = try file.read(atMost: maximumSize) else { return nil }
            guard let document = try? JSONValue.object(in: bytes) else { throw SecureStoreError(.damaged) }
            return (bytes, document)
        } catch {
            guard error.code == .damaged else { throw error }
            try file.setAside()
            return nil
        }
    }
}
#endif
