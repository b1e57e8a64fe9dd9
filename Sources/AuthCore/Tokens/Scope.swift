/// A set of scope values, `openid profile` for one.
///
/// Wire: `scope`, values with a space between. [RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3).
public struct Scope: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The values, in the order given, each once.
    public let values: [String]

    /// Reads a space-delimited list.
    ///
    /// Empty parts are dropped, order is kept, repeats fall away.
    ///
    /// - Parameter text: The list as on the wire.
    public init(_ text: String) {
        var seen: Set<String> = []
        values = text.split(separator: " ").map(String.init).filter { seen.insert($0).inserted }
    }

    /// Reads a space-delimited list.
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
}
