// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The form field `user` of the first response, in Apple's form.
struct StandInUser: Encodable {
    private struct Name: Encodable {
        let firstName: String
        let lastName: String
    }

    private let name: Name?
    private let email: String?

    /// Creates the field.
    ///
    /// - Parameters:
    ///   - name: The user's name; its first word is the first name. Nil if it is not in the scope.
    ///   - email: The user's e-mail address; nil if it is not in the scope.
    init(name: String?, email: String?) {
        let words = (name ?? "").split(separator: " ")
        self.name = name.map { _ in
            Name(firstName: words.first.map(String.init) ?? "", lastName: words.dropFirst().joined(separator: " "))
        }
        self.email = email
    }

    /// The field's value.
    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }
}
