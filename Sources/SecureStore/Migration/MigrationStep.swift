// SPDX-License-Identifier: Apache-2.0

/// The step that a migration would take at one older location.
///
/// Names the location, and never a value.
public struct MigrationStep: Sendable, Equatable, CustomStringConvertible {
    /// The kinds of steps.
    public enum Action: Sendable, Equatable {
        /// No step is taken: there is no value.
        case nothing
        /// The value would be moved to the store.
        case migrate
        /// The value would be removed: the store has it already, or it was to be removed with its session.
        case removeLeftover
        /// The value would stay: the store has another one, or a location before this one decides first.
        case leave
        /// The location can't be read, or its value can't be converted.
        ///
        /// If the store has no item, a read would throw this error.
        case unavailable(SecureStoreError)
    }

    /// The name of the location.
    public let locationName: StoreLocationName
    /// The action at the location.
    public let action: Action

    /// The location and the action, as a line.
    public var description: String {
        switch action {
        case .nothing: "\(locationName): no value"
        case .migrate: "\(locationName): would be moved to the store"
        case .removeLeftover: "\(locationName): leftover, would be removed"
        case .leave: "\(locationName): another value, would be kept"
        case .unavailable(let error): "\(locationName): \(error)"
        }
    }
}
