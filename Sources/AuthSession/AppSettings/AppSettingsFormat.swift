import AuthCore
import SecureStore

/// The stored form of the settings, by version.
///
/// One member of an object that may have others: older installs kept a session token in the same file. The version
/// counts up with every change, an addition too, so that no older release takes away what it does not know.
///
///     {"sallyport":{"version":1,"onboardingCompleted":true}}
enum AppSettingsFormat {
    /// The name of the member.
    static let member = "sallyport"
    private static let version: Int64 = 1

    /// Reads the member.
    ///
    /// - Parameter value: Its value; nil where there is none.
    /// - Returns: The settings; those of a first launch where the member is missing or damaged.
    /// - Throws: `SecureStoreError` (`newerFormat`).
    static func settings(_ value: JSONValue?) throws(SecureStoreError) -> AppSettings {
        guard let members = value?.object, let number = members["version"]?.integer, number > 0 else {
            return AppSettings()
        }
        guard number <= version else { throw SecureStoreError(.newerFormat) }
        return AppSettings(isOnboardingCompleted: members["onboardingCompleted"]?.boolean ?? false)
    }

    /// Writes the member.
    ///
    /// - Parameters:
    ///   - settings: What to write.
    ///   - document: What the file holds; its other members stay byte for byte. Nil for nothing.
    /// - Returns: The file's new content.
    static func text(_ settings: AppSettings, in document: JSONDocument?) -> [UInt8] {
        let value = #"{"version":\#(version),"onboardingCompleted":\#(settings.isOnboardingCompleted)}"#
        let written = #""\#(member)":\#(value)"#
        let rest = document?.removing(member) ?? Array("{}\n".utf8)
        let hasOthers = document?.members.keys.contains { $0 != member } ?? false
        // Nothing but spaces stands before the object.
        let start = rest.prefix { $0 != UInt8(ascii: "{") }.count + 1
        return Array(rest[..<start]) + (written + (hasOthers ? "," : "")).utf8 + rest[start...]
    }
}
