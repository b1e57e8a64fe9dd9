import SecureStore

/// Which lock a session takes among processes.
enum ChosenLock: Sendable {
    /// That of the store's scope; none for a store in memory, which no other process has.
    case ofTheStore
    case one(SessionLock)
    case none
}
