/// Which of a service's sessions: `default`, or a profile's name.
///
/// Not an e-mail address: keyrings keep it in clear.
public struct StoreAccount: Sendable, Hashable, CustomStringConvertible {
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

    /// The one account of an app that has no others.
    public static let `default` = StoreAccount(trusted: "default")

    /// The name.
    public var description: String { name }
}
