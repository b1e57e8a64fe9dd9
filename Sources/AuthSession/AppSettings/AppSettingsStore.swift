#if !canImport(Security)
import AuthCore
public import SecureStore

/// Where an app's settings are kept: `settings.json` in the app's folder among the user's configuration.
///
/// That folder is `$XDG_CONFIG_HOME/<app>`, else `~/.config/<app>`; who removes it has a first launch again. The file is
/// replaced whole, never written through a link, and what others keep in it stays. Two processes that save at the same
/// time leave what one of them saved. On Apple systems the settings are in the user defaults.
public struct AppSettingsStore: Sendable {
    private static let fileName = "settings.json"
    /// The largest file, in bytes.
    private static let maximumSize = 1024 * 1024
    /// How often a change is begun again because the file was written meanwhile.
    private static let attempts = 3

    /// Looked for at each use: what the environment says may be wrong, and an app is to start all the same.
    let file: @Sendable () throws(SecureStoreError) -> ConfigurationFile

    /// Names an app's settings.
    ///
    /// - Parameter app: The app's reverse domain name: 1 to 128 characters out of letters, digits, `.`, `-` and `_`, the
    ///   first no dot.
    /// - Throws: `SecureStoreError` (`invalidName`).
    public init(app: String) throws(SecureStoreError) {
        let name = try StoreService(app)
        // Neither a hidden folder, nor the one above.
        guard !app.hasPrefix(".") else { throw SecureStoreError(.invalidName) }
        file = { () throws(SecureStoreError) in try ConfigurationFile(Self.fileName, of: name) }
    }

    /// Names the settings in a folder of the app's choice.
    ///
    /// - Parameter folder: An absolute path; the folder is made, with mode 0700, when the settings are saved.
    public init(folder: String) {
        file = { ConfigurationFile(Self.fileName, in: folder) }
    }

    /// What an older version of the app kept in plain among these settings, for `SessionBackend.store(_:takingOverFrom:)`.
    ///
    /// - Parameter member: The member's name.
    /// - Returns: The place.
    /// - Throws: `SecureStoreError` (`denied` where the user has no home).
    public func olderPlace(member: String = "authToken") throws(SecureStoreError) -> any OlderPlace {
        SettingsFileValue(PlaceName(trusted: "settings"), path: try file().path, member: member)
    }

    /// Reads the settings.
    ///
    /// - Returns: What was saved. Where nothing was, or it can't be read, the settings of a first launch: an onboarding
    ///   too many does no harm.
    public func load() -> AppSettings {
        do throws(SecureStoreError) {
            let content = try file().read(atMost: Self.maximumSize)
            return try AppSettingsFormat.settings(content.flatMap { JSONDocument($0) }?[AppSettingsFormat.member])
        } catch {
            return AppSettings()
        }
    }

    /// Writes the settings; they are on the disk when this returns.
    ///
    /// A file that is no JSON object is kept beside them as `settings.json.damaged`.
    ///
    /// - Parameter settings: What to keep.
    /// - Throws: `SecureStoreError` (`denied` where the user has no home, the folder is read-only, or the file or folder
    ///   is a link or another user's, or everybody may write to it; `newerFormat` where a newer version of the app has written there; `full`; `busy`
    ///   where another program writes the file all the time; `failed`). What was saved before is still there then.
    public func save(_ settings: AppSettings) throws(SecureStoreError) {
        let file = try file()
        for _ in 0..<Self.attempts {
            let content = try Self.content(of: file)
            _ = try AppSettingsFormat.settings(content?.document[AppSettingsFormat.member])
            let text = AppSettingsFormat.text(settings, in: content?.document)
            guard text.count <= Self.maximumSize else { throw SecureStoreError(.full, detail: "the settings file") }
            if try file.replace(with: text, ifStill: content?.bytes) { return }
        }
        throw SecureStoreError(.busy, detail: "the settings file")
    }

    /// What the file holds, as text and as an object; nil where there is none, or none any more.
    private static func content(
        of file: ConfigurationFile
    ) throws(SecureStoreError) -> (bytes: [UInt8], document: JSONDocument)? {
        do throws(SecureStoreError) {
            guard let bytes = try file.read(atMost: maximumSize) else { return nil }
            guard let document = JSONDocument(bytes) else { throw SecureStoreError(.damaged) }
            return (bytes, document)
        } catch {
            guard error.code == .damaged else { throw error }
            try file.setAside()
            return nil
        }
    }
}
#endif
