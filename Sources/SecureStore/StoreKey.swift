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

    /// The name.
    public var description: String { name }
}

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

enum StoreName {
    static func checked(_ name: String) throws(SecureStoreError) -> String {
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default:
                false
            }
        }
        guard isAllowed, (1...128).contains(name.utf8.count) else { throw SecureStoreError(.invalidName) }
        return name
    }
}
