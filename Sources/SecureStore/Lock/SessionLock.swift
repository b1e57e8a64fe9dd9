/// The lock that all processes of one user share for one credential: one of them refreshes, the others wait.
///
/// Its scope is the credential's: the user of the system, the service and the account; not a folder, a program or a
/// store. It lies in a file of its own that holds nothing, never on the item itself. The file is in
/// `.local/state/sallyport/locks` of the home folder that the system has for the user, so that containers that share a
/// home share the lock, and none needs a runtime folder; where the system has no such home, in that of `HOME`, else in a
/// folder of the user's own that the environment names, and else below `/var/tmp`. It falls when its holder ends, `kill -9` included. Within one process it excludes too.
///
/// It is advice: who does not take it is not held up.
public struct SessionLock: Sendable {
    private let lock: PatientLock

    /// Names the lock of a credential.
    ///
    /// - Parameter scope: The service and account; a store's ``SecureStore/scope``.
    public init(for scope: StoreScope) {
        lock = PatientLock("session lock") { try UserFolder.locks().file(ScopeFileName.of("session", scope)) }
    }

    /// Names a lock in a folder of the caller's, for tests.
    package init(for scope: StoreScope, in folder: String) {
        lock = PatientLock("session lock") { try PrivateFolder(folder).file(ScopeFileName.of("session", scope)) }
    }

    /// Runs work while no other holder of the lock does.
    ///
    /// Not reentrant: work that takes the same lock waits for itself, as long as it has patience.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for the lock.
    ///   - clock: What the wait is measured with.
    ///   - work: What to do. Begins once the lock is held; the lock is let go when it ends, by a throw too.
    /// - Returns: What the work returns.
    /// - Throws: ``SecureStoreError`` (`busy` where another holds it for longer; `denied`, `full`, `failed` where the
    ///   file can't be made); `CancellationError` while it waits; what the work throws.
    public func withLock<Result>(
        waiting patience: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        _ work: () async throws -> Result
    ) async throws -> Result {
        try await lock.withLock(waiting: patience, clock: clock, work)
    }
}
