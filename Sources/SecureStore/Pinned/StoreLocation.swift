// SPDX-License-Identifier: Apache-2.0

/// A location where a session may be kept.
public struct StoreLocation: Sendable {
    /// The name of a location.
    public typealias Name = StoreLocationName

    /// The location's name in the note, the same in every version of the app.
    public let name: StoreLocationName
    /// The store that keeps the items.
    public let store: any SecureStore

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - name: The location's name, the same in every version of the app.
    ///   - store: The store that keeps the items.
    public init(_ name: StoreLocationName, _ store: any SecureStore) {
        (self.name, self.store) = (name, store)
    }
}
