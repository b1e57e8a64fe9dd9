// SPDX-License-Identifier: Apache-2.0

/// The lock that a user's processes share for one credential: one of them refreshes, the others wait.
///
/// Its scope is the credential's: the user of the system, the service and the account. It is not a folder, a program or
/// a store. The lock is an empty file of its own, never the item itself.
///
/// The file is in `.local/state/sallyport/locks` of the home folder that the system has for the user; on Apple systems
/// in `Library/Application Support/sallyport/locks`. So containers that share a home share the lock. If the system has
/// no such home, the file is in that of `HOME`, or else in systemd's `STATE_DIRECTORY`. Programs with separate homes
/// give the scope a ``SharedFolder``, which then has the lock. In a Flatpak it is in `sallyport/locks` of `XDG_DATA_HOME`.
///
/// The kernel frees the lock when its holder ends, even by `kill -9`. The lock also excludes tasks within one process.
/// It does not stop code that does not take it.
public struct SessionLock: Sendable {
    private let lock: FileLock

    /// Describes the lock of a credential, with a store's ``SecureStore/scope``.
    public init(for scope: StoreScope) { self.init(for: scope, in: nil) }

    /// Describes a lock in a given folder, for tests.
    package init(for scope: StoreScope, in folder: String?) {
        lock = FileLock("session lock") {
            try UserFolder.locks(of: scope, in: folder).file(ScopeFileName.of("session", scope))
        }
    }

    /// The lock's file, for tools that name the process that holds it.
    ///
    /// Throws ``SecureStoreError`` if its folder can't be created.
    public var path: String { get throws { try lock.path() } }

    /// Runs work while no other holder has the lock.
    ///
    /// Not reentrant: work that takes the same lock waits for itself until the time limit.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of the wait for the lock.
    ///   - clock: Measures the wait.
    ///   - work: The work. It begins once the lock is held. The lock is released when it ends, even with an error.
    /// - Throws: ``SecureStoreError`` (`busy` if another process holds the lock for longer; `denied`, `full`, `failed`
    ///   if the file can't be created); `CancellationError` during the wait; the errors of the work.
    public func withLock<Result>(
        timeout: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        _ work: () async throws -> Result
    ) async throws -> Result {
        try await lock.withLock(timeout: timeout, clock: clock, work)
    }
}
