// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The form field `user` of Apple's response, sent at a user's first sign-in only.
///
/// It passes through the browser and nobody signed it. So the name is what the user says, and the e-mail address in it
/// is not read: the identity token has the address that Apple verified.
enum AppleUserField {
    private struct Object: Decodable {
        struct Name: Decodable {
            let firstName: String?
            let lastName: String?
        }

        let name: Name?
    }

    /// Returns the name; nil if the field has none or can't be read.
    ///
    /// - Parameter json: The field's value. Untrusted.
    /// - Returns: The first and the last name.
    static func name(in json: String) -> AccountName? {
        guard json.utf8.count <= 4_096, let object = try? JSONDecoder().decode(Object.self, from: Data(json.utf8))
        else { return nil }
        return AccountName([object.name?.firstName, object.name?.lastName].compactMap(\.self).joined(separator: " "))
    }
}
