/// The name of an item in a store.
///
/// Never empty, and no place for anything that identifies a person.
public struct StoreKey: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Checks a name.
    ///
    /// - Parameter name: 1 to 128 characters out of letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public init(_ name: String) throws(SecureStoreError) {
        self.name = try StoreName.checked(name)
    }

    package init(trusted name: StaticString) {
        self.name = name.description
    }

    /// The name.
    public var description: String { name }
}
