#if EncryptedFile
/// How long a call may wait for the lock, and whether anybody still waits for the call.
struct CallPatience: Sendable {
    private let end: SuspendingClock.Instant
    private let isAbandoned: @Sendable () -> Bool

    /// Begins now.
    ///
    /// - Parameters:
    ///   - deadline: The call's. The wait for the lock ends before it, so that the caller is told that another has it
    ///     and nothing was written, and not just that time is up.
    ///   - isAbandoned: Whether the caller has left.
    init(deadline: Duration, isAbandoned: @escaping @Sendable () -> Bool) {
        end = SuspendingClock().now.advanced(by: deadline * 0.75)
        self.isAbandoned = isAbandoned
    }

    /// Called while another has the lock.
    ///
    /// - Throws: ``SecureStoreError`` (`busy`; `timedOut` where nobody waits any more).
    func checkMayWait() throws(SecureStoreError) {
        try checkIsWanted()
        guard SuspendingClock().now < end else { throw SecureStoreError(.busy, detail: "encrypted file") }
    }

    /// Called before anything is written.
    ///
    /// - Throws: ``SecureStoreError`` (`timedOut`) where nobody waits any more.
    func checkIsWanted() throws(SecureStoreError) {
        if isAbandoned() { throw SecureStoreError(.timedOut) }
    }
}
#endif
