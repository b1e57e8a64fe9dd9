// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// The versioned stored form of the settings.
///
/// One member of a JSON object that may have others: older installs kept a session token in the same file. Every
/// change increments the version, also an addition, so that an older release never removes a member it doesn't know.
///
///     {"sallyport":{"version":1,"onboardingCompleted":true}}
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

    /// Encodes the member into a document.
    ///
    /// - Parameters:
    ///   - settings: The settings to write.
    ///   - document: The file's content, whose other members stay byte for byte. Nil if there is no file.
    ///   - legacyKeys: The members of an older version that are removed, because this member replaces them.
    /// - Returns: The file's new content.
    static func text(
        _ settings: AppSettings,
        in document: JSONDocument?,
        removing legacyKeys: [String] = []
    ) -> [UInt8] {
        // A document stays one if a member is removed.
        let document = legacyKeys.reduce(document) { document, key in
            document.flatMap { JSONDocument($0.removing(key)) }
        }
        let value = #"{"version":\#(version),"onboardingCompleted":\#(settings.isOnboardingCompleted)}"#
        let written = #""\#(member)":\#(value)"#
        let rest = document?.removing(member) ?? Array("{}\n".utf8)
        let hasOthers = document?.members.keys.contains { $0 != member } ?? false
        // Only white space precedes the object.
        let start = rest.prefix { $0 != UInt8(ascii: "{") }.count + 1
        return Array(rest[..<start]) + (written + (hasOthers ? "," : "")).utf8 + rest[start...]
    }
}
