// SPDX-License-Identifier: Apache-2.0

/// The name of an item in a store.
///
/// Never empty. It must contain nothing that identifies the user.
public struct StoreKey: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a name if it is valid.
    ///
    /// - Parameter name: The name: 1 to 128 letters, digits, `.`, `-` and `_`.
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
