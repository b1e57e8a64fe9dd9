#if canImport(Darwin)
import Foundation

extension PersonNameComponents {
    /// The name as it is written where it comes from; nil where there is none.
    var written: String? {
        let name = PersonNameComponentsFormatter.localizedString(from: self, style: .default)
        return name.isEmpty ? nil : name
    }
}
#elseif canImport(AuthenticationServices)
import Foundation

extension PersonNameComponents {
    /// The name, given name first: there is no formatter here.
    var written: String? {
        let parts = [givenName, familyName].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
#endif
