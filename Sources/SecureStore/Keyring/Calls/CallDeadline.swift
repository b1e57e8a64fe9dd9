#if Keyring && canImport(CSecretService)
/// When a call must have ended, and the means to end it earlier.
///
/// Time is the clock that stands still while the machine sleeps, as GLib's does: a lid closed in mid-call is no timeout.
struct CallDeadline: Sendable {
    private let end: SuspendingClock.Instant
    private let lockEnd: SuspendingClock.Instant
    let cancellation = Cancellation()

    init(in duration: Duration) {
        let start = SuspendingClock().now
        end = start.advanced(by: duration)
        lockEnd = start.advanced(by: duration * 0.75)
    }

    /// What is left for the next step.
    ///
    /// - Returns: Milliseconds, at least 1.
    /// - Throws: ``SecureStoreError`` (`timedOut`) where nothing is left or nobody waits any more.
    func remainingMilliseconds() throws(SecureStoreError) -> Int32 {
        let left = SuspendingClock().now.duration(to: end)
        guard left > .zero, !cancellation.isCancelled else { throw SecureStoreError(.timedOut) }
        let milliseconds = left / .milliseconds(1)
        return Int32(max(1, min(milliseconds, Double(Int32.max - 1))))
    }

    /// Checks whether the call may wait on for a lock that another process holds.
    ///
    /// The wait ends before the call does, so that its caller learns that another process has the lock and that nothing
    /// was changed, not only that time is up.
    ///
    /// - Parameter lock: The name of the lock.
    /// - Throws: ``SecureStoreError`` (`busy`; `timedOut` if the caller has left).
    func checkMayWait(forLock lock: String) throws(SecureStoreError) {
        _ = try remainingMilliseconds()
        guard SuspendingClock().now < lockEnd else { throw SecureStoreError(.busy, detail: lock) }
    }
}
#endif
