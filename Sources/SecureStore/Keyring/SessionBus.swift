// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore
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
    let notices: OpaquePointer
    /// The name that the bus gave this connection, for example `:1.42`.
    var ownName: String? { unsafe g_dbus_connection_get_unique_name(connection).map { unsafe String(cString: $0) } }
    /// The bus's ID, which never changes on a connection.
    private var knownID: String?

    /// Connects and sends `Hello`.
    ///
    /// GIO has no timeout for a socket that accepts and stays silent. Cancelling the deadline ends such an attempt.
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

    /// One call of a method.
    struct Request {
        let destination: String
        let path: ObjectPath
        let interface: String
        let method: String
        var arguments: [Variant] = []
        /// A file descriptor that goes with the call, as the handle 0 of the arguments; the call closes it.
        var descriptor: Int32?
        /// The D-Bus type of its reply.
        let reply: String
    }

    /// Makes a call, blocks until its reply or the deadline, and returns the reply's members.
    func call(_ request: Request, before deadline: CallDeadline) throws -> [Variant] {
        guard let reply = try call([request], before: deadline).first else {
            throw BusError(unexpectedReplyOf: request.method)
        }
        return try reply.get()
    }

    /// Makes calls concurrently, and blocks until all replies, in the order of the requests, or the deadline.
    ///
    /// GDBus ends each call at the timeout or when it is cancelled, so the loop ends too.
    func call(_ requests: [Request], before deadline: CallDeadline) throws -> [Result<[Variant], BusError>] {
        let timeout = try deadline.remainingMilliseconds()
        return receivingNotices {
            let replies = requests.map { unsafe start($0, timeout, deadline.cancellable) }
            return replies.map { reply in
                while true {
                    if let result = reply.result { return result }
                    unsafe g_main_context_iteration(notices, 1)
                }
            }
        }
    }

    typealias PendingReply = Pending<[Variant], BusError>

    /// Starts a call whose reply arrives while the calling thread's default context is iterated.
    func start(
        _ request: Request,
        _ timeout: Int32,
        _ cancellable: UnsafeMutablePointer<GCancellable>
    ) -> PendingReply {
        let (reply, arguments) = (PendingReply(), Variant.tuple(request.arguments))
        let owner = unsafe Unmanaged.passRetained(reply).toOpaque()
        let descriptors = unsafe request.descriptor.flatMap { number in
            var number = number
            return unsafe g_unix_fd_list_new_from_array(&number, 1)
        }
        defer { if let descriptors = unsafe descriptors { unsafe g_object_unref(gpointer(descriptors)) } }
        withExtendedLifetime(arguments) {
            unsafe g_dbus_connection_call_with_unix_fd_list(
                connection,
                request.destination,
                request.path.text,
                request.interface,
                request.method,
                arguments.pointer,
                Variant.type(request.reply),
                G_DBUS_CALL_FLAGS_NONE,
                timeout,
                descriptors,
                cancellable,
                { source, result, owner in
                    guard let owner = unsafe owner else { return }
                    // Retained above and released here: GIO calls back exactly once.
                    let reply = unsafe Unmanaged<PendingReply>.fromOpaque(owner).takeRetainedValue()
                    var error: UnsafeMutablePointer<GError>?
                    let connection = unsafe source.map { OpaquePointer($0) }
                    let found = unsafe g_dbus_connection_call_with_unix_fd_list_finish(connection, nil, result, &error)
                    if let found = unsafe found {
                        reply.result = unsafe .success(Variant(taking: found).children)
                    } else {
                        reply.result = .failure(unsafe BusError(taking: error))
                    }
                },
                owner
            )
        }
        return reply
    }
}

extension SessionBus {
    static let busName = "org.freedesktop.DBus"

    /// Returns the owner of a name; asks the bus to start the service if the name has no owner.
    ///
    /// In this order: a bus refuses to start a service that has no service file, even if the service runs.
    func owner(of name: String, before deadline: CallDeadline) throws -> String {
        func owner() throws -> String {
            let owner = try ask("GetNameOwner", [.string(name)], reply: "(s)", before: deadline)
            guard let owner = owner?.string else { throw BusError(unexpectedReplyOf: "GetNameOwner") }
            return owner
        }
        do {
            return try owner()
        } catch let fault as BusError where fault.kind == .goneProvider {
            _ = try ask("StartServiceByName", [.string(name), .uint32(0)], reply: "(u)", before: deadline)
            return try owner()
        }
    }

    /// Returns the bus's ID, which is the same for all its clients, however they spell its address.
    ///
    /// Returns nil if the bus does not reveal it, for example behind a filter.
    func id(before deadline: CallDeadline) throws -> String? {
        if let knownID { return knownID }
        do {
            knownID = try ask("GetId", [], reply: "(s)", before: deadline)?.string
        } catch let fault as BusError where !fault.isStale && fault.kind != .timedOut {
            return nil
        }
        return knownID
    }

    /// A function that is called with the name of a signal and its members.
    final class SignalHandler {
        fileprivate let receive: (_ signal: String, _ members: [Variant]) -> Void

        init(_ receive: @escaping (_ signal: String, _ members: [Variant]) -> Void) { self.receive = receive }
    }

    /// Subscribes to a signal, which is delivered while the thread's default context is iterated.
    ///
    /// - Parameters:
    ///   - sender: The unique name of the only process whose signals count, or the bus itself.
    ///   - argument: The first member of the signals that count; nil for any.
    /// - Returns: The subscription's number, for its end.
    func subscribe(
        _ signal: String,
        of interface: String,
        from sender: String,
        at path: String?,
        with argument: String? = nil,
        _ handler: SignalHandler
    ) -> guint {
        unsafe g_dbus_connection_signal_subscribe(
            connection,
            sender,
            interface,
            signal,
            path,
            argument,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, name, parameters, handler in
                guard let name = unsafe name, let parameters = unsafe parameters, let handler = unsafe handler else {
                    return
                }
                let receiver = unsafe Unmanaged<SignalHandler>.fromOpaque(handler).takeUnretainedValue()
                receiver.receive(
                    unsafe String(cString: name),
                    unsafe Variant(taking: g_variant_ref(parameters)).children
                )
            },
            Unmanaged.passRetained(handler).toOpaque(),
            { handler in
                guard let handler = unsafe handler else { return }
                unsafe Unmanaged<SignalHandler>.fromOpaque(handler).release()
            }
        )
    }

    /// Receives replies and signals until a condition holds.
    ///
    /// - Parameter context: The context that they are delivered to, which is the thread's default one.
    /// - Throws: Any error of the condition; ``SecureStoreError`` (`noSessionBus` if the bus is gone, `timedOut`).
    func receive(
        in context: OpaquePointer,
        before deadline: CallDeadline?,
        until isOver: () throws -> Bool
    ) throws {
        // GIO reports a closed connection to a context that no thread may iterate now, and the deadline has no event. The
        // loop therefore checks both at each tick.
        let tick = unsafe g_timeout_source_new(deadline == nil ? 500 : 50)
        unsafe g_source_set_callback(tick, { _ in 1 }, nil, nil)
        unsafe g_source_attach(tick, context)
        defer {
            unsafe g_source_destroy(tick)
            unsafe g_source_unref(tick)
        }
        while try !isOver() {
            guard unsafe g_dbus_connection_is_closed(connection) == 0 else {
                throw SecureStoreError(.noSessionBus, detail: "disconnected")
            }
            _ = try deadline?.remainingMilliseconds()
            unsafe g_main_context_iteration(context, 1)
        }
    }

    /// Calls a method of the bus itself.
    private func ask(
        _ method: String,
        _ arguments: [Variant],
        reply: String,
        before deadline: CallDeadline
    ) throws -> Variant? {
        let request = Request(
            destination: Self.busName,
            path: ObjectPath(text: "/org/freedesktop/DBus"),
            interface: Self.busName,
            method: method,
            arguments: arguments,
            reply: reply
        )
        return try call(request, before: deadline).first
    }
}

/// A result that is awaited on the thread that iterates a context of GIO.
///
/// Not shared with another thread: GIO calls back from within that iteration.
final class Pending<Success, Failure: Error> {
    var result: Result<Success, Failure>?
}

/// The deadline of a call, and the means to end the call earlier.
///
/// Its clock stops while the machine sleeps, as GLib's does: closing the lid during a call causes no timeout.
///
/// `@unchecked Sendable`: the properties never change, this object owns one reference to the `GCancellable` for its
/// whole life, and GIO documents `g_cancellable_cancel` and `g_cancellable_is_cancelled` as callable from any thread.
@safe
package final class CallDeadline: @unchecked Sendable {
    private let end: Deadline
    /// Ends the GIO calls that use it.
    let cancellable: UnsafeMutablePointer<GCancellable>

    init(in duration: Duration) {
        end = Deadline(in: duration)
        unsafe cancellable = g_cancellable_new()
    }

    deinit {
        unsafe g_object_unref(cancellable)
    }

    /// Ends the wait for a reply, and so dismisses no prompt.
    func cancel() {
        unsafe g_cancellable_cancel(cancellable)
    }

    /// Returns the time left for the next step; throws `timedOut` if none is left or the caller no longer waits.
    func remainingMilliseconds() throws(SecureStoreError) -> Int32 {
        let left = end.remaining
        guard left > .zero, unsafe g_cancellable_is_cancelled(cancellable) == 0 else {
            throw SecureStoreError(.timedOut)
        }
        return Int32(max(1, min(left / .milliseconds(1), Double(Int32.max - 1))))
    }
}
#endif
