/// What a migration would do at one older place.
///
/// Names the place, and never a value.
public struct MigrationStep: Sendable, Equatable, CustomStringConvertible {
    /// What would be done.
    public enum Action: Sendable, Equatable {
        /// Nothing: there is no value.
        case nothing
        /// The value would be moved to the store.
        case migrate
        /// The value would be removed: the store has it already, or it was to be removed with its session.
        case removeLeftover
        /// The value would stay: the store has another one, or a place before this one decides first.
        case leave
        /// The place can't say, or its value can't be converted.
        ///
        /// Where the store has no item, a read would throw this error.
        case unavailable(SecureStoreError)
    }

    /// Which place.
    public let place: PlaceName
    /// What would be done there.
    public let action: Action

    /// The place and the action, as a line.
    public var description: String {
        switch action {
        case .nothing: "\(place): nothing there"
        case .migrate: "\(place): would be moved to the store"
        case .removeLeftover: "\(place): a leftover that would be removed"
        case .leave: "\(place): another value that would be left alone"
        case .unavailable(let error): "\(place): \(error)"
        }
    }
}
