// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import CSecretService

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A private connection to the session bus on which every call ends at its caller's deadline.
///
/// Not the shared connection of `g_bus_get`: that one ends the process when the bus goes away, and its calls can't be
/// told from those of other code.
@safe
final class SessionBus {
    let connection: OpaquePointer
    /// The main context that receives GIO's notifications.
    ///
    /// No main loop runs here. In the default context the notifications would pile up, each with a reference to a dead
    /// connection.
    private let notices: OpaquePointer

    /// Connects and sends `Hello`.
    ///
    /// GIO has no timeout for a socket that accepts and stays silent. Cancelling the deadline ends such an attempt.
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
            deadline.cancellable,
            &error
        )
        guard let connection = unsafe connection else {
            unsafe g_main_context_unref(notices)
            throw unsafe BusError(taking: error).connectError
        }
        unsafe g_dbus_connection_set_exit_on_close(connection, 0)
        unsafe self.connection = connection
        unsafe self.notices = notices
    }

    /// Whether the program at the other end is this user's, or the system's.
    ///
    /// The address of a bus that has ended can be bound by any user of the machine, who would then receive the secrets.
    var isOwn: Bool {
        let user = unsafe sallyport_peer_user(connection)
        return user == 0 || user == gint64(geteuid())
    }

    deinit {
        // Not g_dbus_connection_close_sync, which waits for a peer that may be silent. The last reference closes it
        // too.
        unsafe g_object_unref(gpointer(connection))
        while unsafe g_main_context_iteration(notices, 0) != 0 {}
        unsafe g_main_context_unref(notices)
    }

    /// Runs work with ``notices`` as the thread's default context.
    ///
    /// An object that the work creates, and that subscribes to the connection, is notified in that context. `deinit`
    /// runs the notifications that are left.
    func receivingNotices<Value>(_ work: () throws -> Value) rethrows -> Value {
        unsafe g_main_context_push_thread_default(notices)
        defer { unsafe g_main_context_pop_thread_default(notices) }
        return try work()
    }

    /// One method of one interface.
    struct Method {
        let interface: String
        let name: String
        /// The D-Bus type of its reply.
        let reply: String
    }

    /// One call of a method.
    struct Request {
        let method: Method
        let destination: String
        let path: ObjectPath
        var arguments: [Variant] = []
    }

    /// Calls a method and blocks until its reply or the deadline.
    ///
    /// - Returns: The reply's members.
    /// - Throws: ``BusError``; ``SecureStoreError`` (`timedOut`).
    func call(
        _ method: Method,
        of name: String,
        at path: ObjectPath,
        _ arguments: [Variant] = [],
        before deadline: CallDeadline
    ) throws -> [Variant] {
        try call(Request(method: method, destination: name, path: path, arguments: arguments), before: deadline)
    }

    /// Makes a prepared call and blocks until its reply or the deadline.
    func call(_ request: Request, before deadline: CallDeadline) throws -> [Variant] {
        guard let reply = try call([request], before: deadline).first else {
            throw BusError(unexpectedReplyOf: request.method.name)
        }
        return try reply.get()
    }

    /// Makes calls concurrently, and blocks until all replies or the deadline.
    ///
    /// GDBus ends each call at the timeout or when it is cancelled, so the loop ends too.
    ///
    /// - Returns: The replies' members, in the order of the requests.
    /// - Throws: ``SecureStoreError`` (`timedOut`).
    func call(_ requests: [Request], before deadline: CallDeadline) throws -> [Result<[Variant], BusError>] {
        let timeout = try deadline.remainingMilliseconds()
        return receivingNotices {
            let replies = requests.map { request in
                let reply = PendingReply()
                unsafe start(request, reply, timeout, deadline.cancellable)
                return reply
            }
            return replies.map { reply in
                while true {
                    if let result = reply.result { return result }
                    unsafe g_main_context_iteration(notices, 1)
                }
            }
        }
    }

    /// Starts a call whose reply arrives while the calling thread's default context is iterated.
    func start(
        _ request: Request,
        _ reply: PendingReply,
        _ timeout: Int32,
        _ cancellable: UnsafeMutablePointer<GCancellable>
    ) {
        let arguments = Variant.tuple(request.arguments)
        let owner = unsafe Unmanaged.passRetained(reply).toOpaque()
        withExtendedLifetime(arguments) {
            unsafe g_dbus_connection_call(
                connection,
                request.destination,
                request.path.text,
                request.method.interface,
                request.method.name,
                arguments.pointer,
                Variant.type(request.method.reply),
                G_DBUS_CALL_FLAGS_NONE,
                timeout,
                cancellable,
                { source, result, owner in unsafe PendingReply.finish(source, result, owner) },
                owner
            )
        }
    }
}

/// A reply that is awaited on the thread that iterates the connection's context.
///
/// Not shared with another thread: GIO calls back from within that iteration.
final class PendingReply {
    private(set) var result: Result<[Variant], BusError>?

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
            pending.result = .failure(unsafe BusError(taking: error))
        }
    }
}
#endif
