/// Scope values, `openid profile` for one.
///
/// A set: order has no meaning and is kept for showing alone.
///
/// Wire: `scope`, values with a space between. [RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3).
public struct Scope: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The values, in the order given, each once.
    public let values: [String]

    /// Reads a space-delimited list.
    ///
    /// Order is kept, repeats fall away. So do values with a character that RFC 6749, 3.3 does not allow, a quote or a
    /// line break: no server grants them.
    ///
    /// - Parameter text: The list as on the wire. May be from outside.
    public init(_ text: String) {
        var seen: Set<String> = []
        // By bytes: characters take the square of the time if many accents stand in a row.
        values = text.utf8.split(separator: UInt8(ascii: " "))
            .filter { $0.allSatisfy(TokenCharacters.isScope) }
            .map { String(Substring($0)) }
            .filter { seen.insert($0).inserted }
    }

    /// Reads a space-delimited list.
    ///
    /// - Parameter value: The list as on the wire.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Whether a value is in the set.
    ///
    /// - Parameter value: One scope value, compared exactly.
    /// - Returns: True where it is.
    public func contains(_ value: String) -> Bool { values.contains(value) }

    /// The list as on the wire.
    public var description: String { values.joined(separator: " ") }

    /// Equal where the values are, in any order.
    public static func == (left: Self, right: Self) -> Bool { Set(left.values) == Set(right.values) }

    /// Hashes the values, whatever their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }
}
