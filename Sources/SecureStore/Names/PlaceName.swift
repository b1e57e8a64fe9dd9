/// What an app calls one of the places where a session may be kept: `keyring`, say, or `file`.
///
/// It is written down, so it must mean the same place in every version of the app.
public struct PlaceName: Sendable, Hashable, Comparable, CustomStringConvertible {
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

    /// By name.
    public static func < (left: Self, right: Self) -> Bool { left.name < right.name }

    /// The name.
    public var description: String { name }
}
