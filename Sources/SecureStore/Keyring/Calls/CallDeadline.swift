// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import CSecretService

/// The deadline of a call, and the means to end the call earlier.
///
/// Its clock stops while the machine sleeps, as GLib's does: closing the lid during a call causes no timeout.
struct CallDeadline: Sendable {
    private let end: SuspendingClock.Instant
    private let lockEnd: SuspendingClock.Instant
    let cancellation = Cancellation()

    init(in duration: Duration) {
        let start = SuspendingClock().now
        end = start.advanced(by: duration)
        lockEnd = start.advanced(by: duration * 0.75)
    }

    /// Returns the time left for the next step.
    ///
    /// - Returns: Milliseconds, at least 1.
    /// - Throws: ``SecureStoreError`` (`timedOut`) if no time is left or the caller no longer waits.
    func remainingMilliseconds() throws(SecureStoreError) -> Int32 {
        let left = SuspendingClock().now.duration(to: end)
        guard left > .zero, !cancellation.isCancelled else { throw SecureStoreError(.timedOut) }
        let milliseconds = left / .milliseconds(1)
        return Int32(max(1, min(milliseconds, Double(Int32.max - 1))))
    }

    /// Returns whether the call may wait longer for a lock that another process holds.
    ///
    /// This wait ends before the call's deadline. The caller then learns that another process holds the lock and that
    /// nothing was changed, instead of a mere timeout.
    ///
    /// - Throws: ``SecureStoreError`` (`timedOut`) if no time is left or the caller no longer waits.
    func mayWaitForLock() throws(SecureStoreError) -> Bool {
        _ = try remainingMilliseconds()
        return SuspendingClock().now < lockEnd
    }
}

/// A `GCancellable`, by which any thread may end the blocking GIO call that uses it.
///
/// `@unchecked Sendable`: the pointer never changes, this object owns one reference for its whole life, and GIO
/// documents `g_cancellable_cancel` and `g_cancellable_is_cancelled` as callable from any thread.
@safe
final class Cancellation: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<GCancellable>

    init() {
        unsafe pointer = g_cancellable_new()
    }

    deinit {
        unsafe g_object_unref(pointer)
    }

    var isCancelled: Bool { unsafe g_cancellable_is_cancelled(pointer) != 0 }

    /// Ends the GIO calls that use it.
    ///
    /// It ends only the wait for a reply, so it dismisses no prompt.
    func cancel() {
        unsafe g_cancellable_cancel(pointer)
    }
}
#endif
