#if Keyring && canImport(CSecretService)
internal import CSecretService

/// A private connection to the session bus whose every call ends at its caller's deadline.
///
/// Private, because the process-wide one of `g_bus_get` ends the process when the bus goes, and its calls can't be told
/// from those of other code.
@safe
final class SessionBus {
    private let connection: OpaquePointer
    /// Where GIO leaves its notices.
    ///
    /// Nobody runs a main loop here, and in the default context they would pile up, each
    /// holding on to a dead connection.
    private let notices: OpaquePointer

    /// Connects and says hello.
    ///
    /// A socket that accepts and stays mute is left when the deadline's ``CallDeadline/cancellation`` is cancelled: GIO
    /// has no timeout for this.
    ///
    /// - Throws: ``SecureStoreError`` (`noSessionBus`, `timedOut`).
    init(address: String, deadline: CallDeadline) throws(SecureStoreError) {
        let notices: OpaquePointer = unsafe g_main_context_new()
        unsafe g_main_context_push_thread_default(notices)
        defer { unsafe g_main_context_pop_thread_default(notices) }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        )
        var error: UnsafeMutablePointer<GError>?
        let connection = unsafe g_dbus_connection_new_for_address_sync(
            address,
            flags,
            nil,
            deadline.cancellation.pointer,
            &error
        )
        guard let connection = unsafe connection else {
            unsafe g_main_context_unref(notices)
            throw unsafe BusFault(taking: error).connectError
        }
        unsafe g_dbus_connection_set_exit_on_close(connection, 0)
        unsafe self.connection = connection
        unsafe self.notices = notices
    }

    deinit {
        // Not g_dbus_connection_close_sync, which waits for a peer that may be mute: the last reference closes it too.
        unsafe g_object_unref(gpointer(connection))
        while unsafe g_main_context_iteration(notices, 0) != 0 {}
        unsafe g_main_context_unref(notices)
    }

    /// One method of one interface.
    struct Method {
        let interface: String
        let name: String
        /// The D-Bus type of its reply.
        let reply: String
    }

    /// Calls a method and blocks until its reply or the deadline.
    ///
    /// - Returns: The reply's members.
    /// - Throws: ``BusFault``; ``SecureStoreError`` (`timedOut`).
    func call(
        _ method: Method,
        of name: String,
        at path: ObjectPath,
        _ arguments: [Variant] = [],
        before deadline: CallDeadline
    ) throws -> [Variant] {
        let timeout = try deadline.remainingMilliseconds()
        let arguments = Variant.tuple(arguments)
        var error: UnsafeMutablePointer<GError>?
        let reply = unsafe withExtendedLifetime(arguments) {
            unsafe g_dbus_connection_call_sync(
                connection,
                name,
                path.text,
                method.interface,
                method.name,
                arguments.pointer,
                Variant.type(method.reply),
                G_DBUS_CALL_FLAGS_NONE,
                timeout,
                deadline.cancellation.pointer,
                &error
            )
        }
        guard let reply = unsafe reply else { throw unsafe BusFault(taking: error) }
        return unsafe Variant(taking: reply).children
    }
}
#endif
