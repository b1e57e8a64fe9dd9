package import SecureStore

/// What lets one process at a time refresh a session.
///
/// ``SecureStore/SessionLock`` does; a simulation of many processes in one has its own.
package protocol ProcessLock: Sendable {
    /// Runs work while no other holder of the lock does.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for the lock.
    ///   - work: What to do; the lock is let go when it ends, by a throw too.
    /// - Returns: What the work returns.
    /// - Throws: `SecureStoreError` (`busy` where another holds it for longer); `CancellationError` while it waits; what
    ///   the work throws.
    func whileHeld<Result>(waiting patience: Duration, _ work: () async throws -> Result) async throws -> Result
}

extension SessionLock: ProcessLock {
    package func whileHeld<Result>(
        waiting patience: Duration,
        _ work: () async throws -> Result
    ) async throws -> Result {
        try await withLock(waiting: patience, work)
    }
}

/// Which lock a session takes among processes.
package enum ChosenLock: Sendable {
    /// That of the store's scope; none for a store in memory, which no other process has.
    case ofTheStore
    /// This one.
    case one(any ProcessLock)
    /// None.
    case none
}
