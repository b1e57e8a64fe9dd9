/// What is still to be removed at a place that could not do it when it was asked to.
///
/// The place was locked, say, or out of reach. Treated as gone by every read until then.
public enum PendingRemoval: Sendable, Hashable {
    /// Some items.
    case items(Set<StoreKey>)
    /// Everything that is there: after a `removeAll`, or after the session moved elsewhere.
    case all

    /// Whether an item is treated as gone.
    ///
    /// - Parameter key: Which one.
    /// - Returns: Whether its removal is pending.
    public func covers(_ key: StoreKey) -> Bool {
        switch self {
        case .items(let keys): keys.contains(key)
        case .all: true
        }
    }

    /// The same and one more item.
    func adding(_ key: StoreKey) -> PendingRemoval {
        switch self {
        case .items(let keys): .items(keys.union([key]))
        case .all: .all
        }
    }

    /// The same without one item, which has been removed; nil where nothing is left to do.
    func removing(_ key: StoreKey) -> PendingRemoval? {
        switch self {
        case .items([key]): nil
        case .items(let keys): .items(keys.subtracting([key]))
        // More than that item may still be there.
        case .all: .all
        }
    }

    /// Does it.
    ///
    /// Removing twice does no harm, so it may have been done before by a process that was killed before it could say
    /// so.
    func perform(on store: any SecureStore, interaction: InteractionPolicy) async throws {
        switch self {
        case .items(let keys):
            for key in keys.sorted(by: { $0.name < $1.name }) {
                try await store.removeItem(forKey: key, interaction: interaction)
            }
        case .all:
            try await store.removeAll(interaction: interaction)
        }
    }
}
