#if Keyring && canImport(CSecretService)
internal import CSecretService

/// A reply that is waited for, on the thread that iterates the connection's context.
///
/// Not shared with another thread: GIO calls back from within that iteration.
final class PendingReply {
    private(set) var result: Result<[Variant], BusFault>?

    /// Takes the result over, as a `GAsyncReadyCallback` does.
    ///
    /// `owner` is a retained ``PendingReply``, released here: GIO calls back exactly once.
    static func finish(
        _ source: UnsafeMutablePointer<GObject>?,
        _ result: OpaquePointer?,
        _ owner: gpointer?
    ) {
        guard let owner = unsafe owner else { return }
        let pending = unsafe Unmanaged<PendingReply>.fromOpaque(owner).takeRetainedValue()
        var error: UnsafeMutablePointer<GError>?
        let connection = unsafe source.map { OpaquePointer($0) }
        if let reply = unsafe g_dbus_connection_call_finish(connection, result, &error) {
            pending.result = unsafe .success(Variant(taking: reply).children)
        } else {
            pending.result = .failure(unsafe BusFault(taking: error))
        }
    }
}
#endif
