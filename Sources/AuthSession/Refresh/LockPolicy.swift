// SPDX-License-Identifier: Apache-2.0

package import SecureStore

/// A lock that lets one process at a time refresh a session.
///
/// ``SecureStore/SessionLock`` is the usual one; a simulation of many processes in one has its own.
package protocol ProcessLock: Sendable {
    /// Runs work while no other holder of the lock does.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for the lock.
    ///   - work: The work; the lock is released when it ends, even if it throws.
    /// - Returns: The result of the work.
    /// - Throws: `SecureStoreError` (`busy` if another holder keeps it longer); `CancellationError` during the wait;
    ///   the errors of the work.
    func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result
}

extension SessionLock: ProcessLock {
    package func withLock<Result>(
        timeout: Duration,
        _ work: () async throws -> Result
    ) async throws -> Result {
        try await withLock(timeout: timeout, clock: ContinuousClock(), work)
    }
}

/// The choice of the lock that a session takes among processes.
package enum LockPolicy: Sendable {
    /// The lock of the store's scope; no lock for a store in memory, which no other process has.
    case ofTheStore
    /// The given lock.
    case one(any ProcessLock)
    /// No lock.
    case none
}
