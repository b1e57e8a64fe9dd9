/// A lock among processes that tasks wait for, for so long and no longer.
///
/// It holds up no thread. Like ``FileLock``, on which it stands, it falls with its holder and is not reentrant.
struct PatientLock: Sendable {
    private let name: String
    private let path: @Sendable () throws -> String

    /// Names a lock.
    ///
    /// - Parameters:
    ///   - name: What the error `busy` calls it.
    ///   - path: Its file. Asked for each time: what it lies in may have been removed.
    init(_ name: String, path: @escaping @Sendable () throws -> String) {
        self.name = name
        self.path = path
    }

    /// Runs work while no other holder of the lock does.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for the lock.
    ///   - clock: What the wait is measured with.
    ///   - work: What to do; the lock is let go when it ends, by a throw too.
    /// - Returns: What the work returns.
    /// - Throws: ``SecureStoreError`` (`busy` where another holds it for longer; `denied`, `full`, `failed` where the
    ///   file can't be made); `CancellationError` while it waits; what the work throws.
    func withLock<Result>(
        waiting patience: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        _ work: () async throws -> Result
    ) async throws -> Result {
        let lock = try await take(try path(), patience, clock)
        defer { withExtendedLifetime(lock) {} }
        return try await work()
    }

    /// Runs work where nobody has the lock, and does nothing where somebody has.
    ///
    /// A moment is waited all the same: a program that this one starts has all its descriptors, and so its locks, from
    /// the fork to the exec.
    ///
    /// - Parameter work: What to do.
    /// - Returns: What the work returns; nil where the lock was not free.
    /// - Throws: ``SecureStoreError`` as ``withLock(waiting:clock:_:)``, never `busy`; what the work throws.
    func withLockIfFree<Result>(_ work: () async throws -> Result) async throws -> Result? {
        let lock: FileLock
        do {
            lock = try await take(try path(), .milliseconds(50), ContinuousClock())
        } catch let error as SecureStoreError where error.code == .busy {
            return nil
        }
        defer { withExtendedLifetime(lock) {} }
        return try await work()
    }

    /// Asks again and again, because a wait in the kernel could not be given up.
    private func take(_ path: String, _ patience: Duration, _ clock: any Clock<Duration>) async throws -> FileLock {
        var waited = Duration.zero
        var pause = Duration.milliseconds(2)
        while true {
            try Task.checkCancellation()
            if let lock = try FileLock.ifFree(at: path) { return lock }
            guard waited < patience else {
                throw SecureStoreError(.busy, detail: name, holder: LockHolder.of(path))
            }
            let next = min(pause, patience - waited)
            try await clock.sleep(for: next)
            waited += next
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
