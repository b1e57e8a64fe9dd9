/// Whose items a store keeps: an app's reverse domain name, say, `com.goumuve.app`.
///
/// Never empty.
public struct StoreService: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Checks a name.
    ///
    /// - Parameter name: 1 to 128 characters out of letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public init(_ name: String) throws(SecureStoreError) {
        self.name = try StoreName.checked(name)
    }

    private init(trusted name: String) {
        self.name = name
    }

    /// A name that nobody else has.
    package static var random: StoreService {
        StoreService(trusted: "memory-\(RandomName.make())\(RandomName.make())")
    }

    /// The name.
    public var description: String { name }
}
