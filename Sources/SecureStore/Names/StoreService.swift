// SPDX-License-Identifier: Apache-2.0

/// The name of the app that a store's items belong to.
///
/// For example its reverse domain name, `com.example.app`. Never empty.
public struct StoreService: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a name if it is valid.
    ///
    /// - Parameter name: The name: 1 to 128 letters, digits, `.`, `-` and `_`.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public init(_ name: String) throws(SecureStoreError) {
        self.name = try StoreName.checked(name)
    }

    private init(trusted name: String) {
        self.name = name
    }

    /// A unique random name.
    package static var random: StoreService {
        StoreService(trusted: "memory-\(RandomName.make())\(RandomName.make())")
    }

    /// The name.
    public var description: String { name }
}
