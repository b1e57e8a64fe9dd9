/// One item of a query.
public struct QueryItem: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The name, not encoded.
    public let name: String
    /// The value, not encoded.
    public let value: String

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// No more than that: codes and states are in queries.
    public var description: String { "QueryItem(<redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
