// SPDX-License-Identifier: Apache-2.0

/// A set of scope values, such as `openid profile`.
///
/// The order has no meaning and is kept for display only. The values are ASCII, of which `String` compares the bytes.
///
/// Wire: `scope`, a space-delimited list. [RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3).
public struct Scope: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The values in the order given, each once.
    public let values: [String]

    /// Parses a space-delimited list.
    ///
    /// Keeps the order and drops repetitions. Also drops values with a character that RFC 6749, 3.3 does not allow,
    /// such as a quote or a line break: no server grants them.
    ///
    /// - Parameter text: The list as on the wire. May be untrusted.
    public init(_ text: String) {
        var seen: Set<String> = []
        // By bytes: splitting by characters takes quadratic time if the text has many combining accents in a row.
        values = text.utf8.split(separator: UInt8(ascii: " "))
            .filter { $0.allSatisfy(TokenCharacters.isScope) }
            .map { String(Substring($0)) }
            .filter { seen.insert($0).inserted }
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Returns a list of scopes with spaces in place of other separators, such as commas; nil if it has no other.
    ///
    /// For a message to the user who wrote the list, not for a request: some servers have scopes with a comma in them.
    public static func respaced(_ text: String) -> String? {
        let words = text.replacing("%20", with: " ").split { $0.isWhitespace || ",;|+".contains($0) }
        let respaced = words.joined(separator: " ")
        return respaced == text.split(separator: " ").joined(separator: " ") ? nil : respaced
    }

    /// Whether a value is in the set, compared byte for byte.
    public func contains(_ value: String) -> Bool { values.contains { $0.utf8.elementsEqual(value.utf8) } }

    /// The list as on the wire.
    public var description: String { values.joined(separator: " ") }

    public static func == (left: Self, right: Self) -> Bool { Set(left.values) == Set(right.values) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }
}
