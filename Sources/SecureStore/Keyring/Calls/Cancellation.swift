#if Keyring && canImport(CSecretService)
internal import CSecretService

/// A `GCancellable`: any thread may end the blocking GIO call that was given it.
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

    /// Ends the calls that run under it.
    ///
    /// None of ours can have a prompt open, so nothing is dismissed by this.
    func cancel() {
        unsafe g_cancellable_cancel(pointer)
    }
}
#endif
