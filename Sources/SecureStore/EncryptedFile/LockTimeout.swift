// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
/// The time that a call may wait for the lock, and whether the caller still waits for the call.
struct LockTimeout: Sendable {
    private let end: SuspendingClock.Instant
    private let isAbandoned: @Sendable () -> Bool

    /// Starts measuring the wait.
    ///
    /// - Parameters:
    ///   - deadline: The call's deadline. The wait for the lock ends at three quarters of it, so that the caller gets
    ///     `busy`, which means that nothing was written, and not only `timedOut`.
    ///   - isAbandoned: The closure that returns whether the caller has left.
    init(deadline: Duration, isAbandoned: @escaping @Sendable () -> Bool) {
        end = SuspendingClock().now.advanced(by: deadline * 0.75)
        self.isAbandoned = isAbandoned
    }

    /// Returns whether there is still time to wait for the lock.
    ///
    /// - Throws: ``SecureStoreError`` (`timedOut`) if the caller has left.
    func mayWait() throws(SecureStoreError) -> Bool {
        try checkNotAbandoned()
        return SuspendingClock().now < end
    }

    /// Checks, before anything is written, that the caller still waits.
    ///
    /// - Throws: ``SecureStoreError`` (`timedOut`) if the caller has left.
    func checkNotAbandoned() throws(SecureStoreError) {
        if isAbandoned() { throw SecureStoreError(.timedOut) }
    }
}
#endif
