// SPDX-License-Identifier: Apache-2.0

/// A removal that a location could not make when it was requested.
///
/// For example, the location was locked or unreachable. Every read treats the items as gone until they are removed.
public enum Tombstone: Sendable, Hashable {
    /// The removal of some items.
    case items(Set<StoreKey>)
    /// The removal of all items: after a `removeAll`, or after the session moved elsewhere.
    case all

    /// Returns whether an item is treated as gone.
    ///
    /// - Parameter key: The item's key.
    /// - Returns: Whether its removal is pending.
    public func covers(_ key: StoreKey) -> Bool {
        switch self {
        case .items(let keys): keys.contains(key)
        case .all: true
        }
    }

    /// Returns the removal with one more item.
    func adding(_ key: StoreKey) -> Tombstone {
        switch self {
        case .items(let keys): .items(keys.union([key]))
        case .all: .all
        }
    }

    /// Returns the removal without one item, which has been removed; nil if nothing is left to remove.
    func removing(_ key: StoreKey) -> Tombstone? {
        switch self {
        case .items([key]): nil
        case .items(let keys): .items(keys.subtracting([key]))
        // Other items may still be there.
        case .all: .all
        }
    }

    /// Makes the removal.
    ///
    /// Safe: it can be repeated, because a process may have made it and been killed before it could record that.
    func perform(on store: any SecureStore) async throws {
        switch self {
        case .items(let keys):
            for key in keys.sorted(by: { $0.name < $1.name }) {
                try await store.removeItem(forKey: key)
            }
        case .all:
            // No version writes this any more.
            throw SecureStoreError(.failed, detail: "a removal of all items")
        }
    }
}
