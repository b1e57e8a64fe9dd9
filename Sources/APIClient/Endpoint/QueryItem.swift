/// One item of a query.
public struct QueryItem: Sendable, Hashable {
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
}
