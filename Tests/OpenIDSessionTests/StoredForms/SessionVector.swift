// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import TestSupport
import Testing

/// A stored item with its value, from the vectors of what a session writes.
struct SessionVector: Decodable, Sendable, CustomTestStringConvertible {
    static let folder = VectorFolder(in: .module)

    let comment: String
    /// The item's text.
    let input: String
    /// `success`, or an error code.
    let expect: String
    /// The value that is read; nil if none is.
    let value: JSONValue?
    /// The members that are written for the value; `members` for the same ones.
    let writes: JSONValue?

    var testDescription: String { comment }

    var item: SecretBytes { SecretBytes(input.utf8) }

    /// Returns the vectors of one kind of item.
    static func all(_ kind: String) throws -> [SessionVector] {
        try folder.names(kind + "/").map { try folder.read($0) }
    }

    /// Returns the members of an item.
    static func members(of item: SecretBytes) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(item.unredacted))
    }

    /// Returns a value as the vectors have it.
    static func json(_ value: some Encodable) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    }
}
