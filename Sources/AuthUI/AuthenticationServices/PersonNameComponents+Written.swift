// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension PersonNameComponents {
    /// The name as the system formats it, or nil if it is empty.
    var written: String? {
        let name = PersonNameComponentsFormatter.localizedString(from: self, style: .default)
        return name.isEmpty ? nil : name
    }
}
#elseif canImport(AuthenticationServices)
import Foundation

extension PersonNameComponents {
    /// The given name and the family name, or nil if both are empty; this platform has no formatter.
    var written: String? {
        let parts = [givenName, familyName].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
#endif
