#if Keyring && canImport(CSecretService)
/// When a call must have ended, and the means to end it earlier.
///
/// Time is the clock that stands still while the machine sleeps, as GLib's does: a lid closed in mid-call is no timeout.
struct CallDeadline: Sendable {
    private let end: SuspendingClock.Instant
    let cancellation = Cancellation()

    init(in duration: Duration) {
        end = SuspendingClock().now.advanced(by: duration)
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
}
#endif
