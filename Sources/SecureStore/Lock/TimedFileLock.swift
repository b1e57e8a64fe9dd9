// SPDX-License-Identifier: Apache-2.0

/// A lock among processes that tasks wait for, with a time limit.
///
/// It blocks no thread. Like the ``FileLock`` it uses, it is freed when its holder ends, and is not reentrant.
struct TimedFileLock: Sendable {
    private let name: String
    let path: @Sendable () throws -> String

    /// Describes a lock.
    ///
    /// - Parameters:
    ///   - name: The lock's name in the error `busy`.
    ///   - path: The function that returns the lock's file. It is called each time, because the folder may have been
    ///     removed.
    init(_ name: String, path: @escaping @Sendable () throws -> String) {
        self.name = name
        self.path = path
    }

    /// Runs work while no other holder has the lock.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of the wait for the lock.
    ///   - clock: The clock that measures the wait.
    ///   - work: The work. The lock is released when it ends, even with an error.
    /// - Returns: The result of the work.
    /// - Throws: ``SecureStoreError`` (`busy` if another process holds the lock for longer; `denied`, `full`, `failed`
    ///   if the file can't be created); `CancellationError` during the wait; the errors of the work.
    func withLock<Result>(
        timeout: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        _ work: () async throws -> Result
    ) async throws -> Result {
        let lock = try await take(try path(), timeout, clock)
        defer { withExtendedLifetime(lock) {} }
        return try await work()
    }

    /// Runs work if the lock is free, and does nothing if another holder has it.
    ///
    /// Waits for up to 50 milliseconds: a program that this process starts shares its locks from the fork to the exec,
    /// so that a lock may stay taken for a moment after its release.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of the work; nil if the lock was not free.
    /// - Throws: ``SecureStoreError`` as ``withLock(timeout:clock:_:)``, never `busy`; the errors of the work.
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

    /// Takes the lock by repeated attempts, because a wait in the kernel could not be cancelled.
    private func take(_ path: String, _ timeout: Duration, _ clock: any Clock<Duration>) async throws -> FileLock {
        var waited = Duration.zero
        var pause = Duration.milliseconds(2)
        while true {
            try Task.checkCancellation()
            if let lock = try FileLock.ifFree(at: path) { return lock }
            guard waited < timeout else {
                throw SecureStoreError(.busy, detail: name)
            }
            let next = min(pause, timeout - waited)
            try await clock.sleep(for: next)
            waited += next
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
