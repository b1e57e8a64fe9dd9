// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// The versioned stored form of the settings.
///
/// One member of a JSON object that may have others: older installs kept a session token in the same file. Every
/// change increments the version, also an addition, so that an older release never removes a member it doesn't know.
///
///     {"sallyport":{"onboardingCompleted":true,"version":1}}
enum AppSettingsFormat {
    /// The name of the member.
    static let member = "sallyport"
    private static let version: Int64 = 1

    /// Decodes the member.
    ///
    /// - Parameter value: The member's value, or nil if it is missing.
    /// - Returns: The settings, or those of a first launch if the member is missing or damaged.
    /// - Throws: `SecureStoreError` (`newerFormat`).
    static func settings(_ value: JSONValue?) throws(SecureStoreError) -> AppSettings {
        guard let members = value?.object, let number = members["version"]?.integer, number > 0 else {
            return AppSettings()
        }
        guard number <= version else { throw SecureStoreError(.newerFormat) }
        return AppSettings(isOnboardingCompleted: members["onboardingCompleted"]?.boolean ?? false)
    }

    /// Returns whether a value of an older version's flag is true: a Boolean, 1, or a text such as `YES`.
    ///
    /// - Parameter value: The flag's value, or nil if it is missing.
    /// - Returns: Whether the flag is set.
    static func isSet(_ value: JSONValue?) -> Bool {
        switch value {
        case .boolean(let flag): flag
        case .integer(let number): number == 1
        case .string(let text): ["1", "true", "yes"].contains(text.lowercased())
        default: false
        }
    }

    /// Writes a document with the settings.
    ///
    /// - Parameters:
    ///   - settings: The settings to write.
    ///   - document: The file's members, of which the others stay. Empty if there is no file.
    ///   - legacyKeys: The members of an older version that are removed, because this member replaces them.
    /// - Returns: The file's new content.
    static func text(
        _ settings: AppSettings,
        in document: [String: JSONValue] = [:],
        removing legacyKeys: [String] = []
    ) throws(SecureStoreError) -> [UInt8] {
        var document = document.filter { !legacyKeys.contains($0.key) }
        document[member] = .object([
            "version": .integer(version), "onboardingCompleted": .boolean(settings.isOnboardingCompleted),
        ])
        do { return try JSONValue.text(of: document) + "\n".utf8 } catch { throw SecureStoreError(.failed) }
    }
}
