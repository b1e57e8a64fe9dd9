// SPDX-License-Identifier: Apache-2.0

/// The app's name for a location where a session may be kept, for example `keyring` or `file`.
///
/// It is persisted, so it must mean the same location in every version of the app.
public struct StoreLocationName: Sendable, Hashable, Comparable, CustomStringConvertible {
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

    /// Compares by name.
    public static func < (left: Self, right: Self) -> Bool { left.name < right.name }

    /// The name.
    public var description: String { name }
}
