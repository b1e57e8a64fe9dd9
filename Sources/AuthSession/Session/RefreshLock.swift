// SPDX-License-Identifier: Apache-2.0

import AuthCore
package import Logging
package import SecureStore

/// A lock that lets one process at a time refresh a session.
///
/// ``SecureStore/SessionLock`` is the usual one; a simulation of many processes in one has its own.
package protocol ProcessLock: Sendable {
    /// Runs work while no other holder of the lock does; the lock is released when it ends, even if it throws.
    ///
    /// - Throws: `SecureStoreError` (`busy` if another holder keeps it for longer than `timeout`); `CancellationError`
    ///   during the wait; the errors of the work.
    func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result
}

extension SessionLock: ProcessLock {
    package func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result {
        try await withLock(timeout: timeout, clock: ContinuousClock(), work)
    }
}

/// The choice of the lock that a session takes among processes.
package enum LockPolicy: Sendable {
    /// The lock of the store's scope; no lock for a store in memory, which no other process has.
    case ofTheStore
    case one(any ProcessLock)
    case none
}

/// The lock that lets one process at a time refresh a stored session, or request a program's token.
///
/// Confined to the actor that owns it: its methods run in the caller's isolation.
package final class RefreshLock {
    private var policy: LockPolicy
    private let store: any SecureStore
    /// The longest wait for the lock.
    private let timeout: Duration
    private let logger: Logger

    package init(_ policy: LockPolicy, of store: any SecureStore, timeout: Duration, _ logger: Logger) {
        (self.policy, self.store, self.timeout, self.logger) = (policy, store, timeout, logger)
    }

    /// Whether other processes may have the session; false if the store belongs to this process alone.
    var isShared: Bool { get async { await lock() != nil } }

    /// Runs work while no other process refreshes the session.
    ///
    /// - Parameters:
    ///   - onHoldUp: The action if another process holds the lock for more than a second: it may have been stopped.
    ///   - work: The work. Its argument is whether the lock is held: false if this machine has no lock, or needs none.
    /// - Throws: ``AuthSessionError`` (`busy` if another process holds the lock for long); the errors of the work.
    package func whileHeld<Value>(
        onHoldUp: (AuthSessionError) -> Void = { _ in },
        _ work: (_ isHeld: Bool) async throws -> Value
    ) async throws -> Value {
        guard let lock = await lock() else { return try await work(false) }
        var hasBegun = false
        let promptly = min(.seconds(1), timeout / 2)
        for (timeout, isLast) in [(promptly, false), (timeout - promptly, true)] {
            do {
                return try await lock.withLock(timeout: timeout) {
                    hasBegun = true
                    return try await work(true)
                }
            } catch let error as SecureStoreError where !hasBegun {
                guard error.code == .busy else { break }
                let error = AuthSessionError(.busy, underlying: error)
                if isLast { throw error }
                onHoldUp(error)
            }
        }
        logger.warning("no lock between processes is available; continuing without it")
        return try await work(false)
    }

    private func lock() async -> (any ProcessLock)? {
        if case .ofTheStore = policy {
            let isShared = await store.protection != .memory
            policy = isShared ? .one(SessionLock(for: store.scope)) : .none
        }
        if case .one(let lock) = policy { return lock }
        return nil
    }
}
