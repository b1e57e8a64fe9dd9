// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile && Keyring && canImport(CSecretService)
import AuthCore
import CSecretService

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The key that the desktop's secret portal keeps for an app in a Flatpak or Snap, without any permission.
///
/// It has 64 random bytes, which the portal keeps in the user's keyring. A file made under it opens with it alone, also
/// after the app's next start. Without the portal its items can't be read, and are never absent: the error is `locked`
/// or `noProvider`.
///
/// [org.freedesktop.portal.Secret](https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Secret.html).
public struct PortalKey: Sendable {
    private let environment: KeyringEnvironment

    /// The key of the portal on the session bus that the environment names.
    public static var portal: PortalKey { PortalKey(KeyringEnvironment(ofProcessOnBus: nil)) }

    /// Whether this process runs in a Flatpak or Snap, where a ``KeyringStore`` usually throws `sandboxed`.
    public static var isSandboxed: Bool { portal.environment.isSandboxed }

    /// Creates the key of a portal in a given environment, for tests.
    package init(_ environment: KeyringEnvironment) { self.environment = environment }

    /// Returns a source of the key, for one store.
    fileprivate var source: FileSecret {
        let portal = SecretPortal(environment)
        return .key { try portal.key(before: $0) }
    }
}

extension EncryptedFileStore {
    /// Creates a store of a file under the key of the secret portal, without reading the file.
    ///
    /// The portal is asked when a file is first opened or made, on a bus as of a ``KeyringStore``. If the keyring is
    /// locked, the portal may prompt for its password. Nothing here can prevent that; a call does not wait for it longer
    /// than three quarters of the deadline, and then throws `locked`. ``unlock(timeout:)`` waits for the user.
    ///
    /// - Parameters:
    ///   - scope: The service and account of the items; a file of another scope does not open.
    ///   - folder: As for a file under a ``FileKey``. The default folder is the app's own in a sandbox.
    ///   - key: ``PortalKey/portal``.
    ///   - deadline: The longest time that a call may take.
    public convenience init(
        scope: StoreScope,
        folder: String? = nil,
        key: PortalKey,
        deadline: Duration = .seconds(30)
    ) {
        self.init(scope: scope, folder: folder, secret: key.source, deadline: deadline)
    }
}

/// The portal of one store: gets the key once, by one request at a time.
///
/// A request that is not answered in time stays open for the next call. Its end could dismiss the keyring's prompt, on
/// which gnome-keyring-daemon aborts, and a second request would show a second prompt.
///
/// `@unchecked Sendable`: only the thread of the store that was made with it uses it.
private final class SecretPortal: @unchecked Sendable {
    private let environment: KeyringEnvironment
    private var request: PortalRequest?
    private var key: FileKey?

    init(_ environment: KeyringEnvironment) { self.environment = environment }

    /// Returns the key.
    ///
    /// - Throws: ``SecureStoreError`` (`noProvider` without a portal; `locked` if it refuses; `promptDismissed`;
    ///   `timedOut`; `noSessionBus` and `denied` as of a keyring; `failed` if what it gives is no key).
    func key(before deadline: CallDeadline) throws -> FileKey {
        if let key { return key }
        _ = try deadline.remainingMilliseconds()
        do {
            let request = try request ?? PortalRequest(on: environment.connect(before: deadline), before: deadline)
            self.request = request
            try request.wait(before: deadline)
            // What follows is not repeated: the pipe gives its bytes once.
            self.request = nil
            let key = try request.key(before: deadline)
            self.key = key
            return key
        } catch {
            let error = (error as? BusError).map(Self.error) ?? SecureStoreError(cause: error)
            if error.code != .timedOut { request = nil }
            throw error
        }
    }

    private static func error(_ fault: BusError) -> SecureStoreError {
        switch fault.kind {
        // Without a program that keeps secrets, the portal lacks the interface.
        case .goneProvider, .vanishedObject, .diedInCall: SecureStoreError(.noProvider, detail: fault.name)
        case .deadConnection, .timedOut: fault.storeError
        case .staleSession, .locked, .denied, .other: SecureStoreError(.locked, detail: fault.name)
        }
    }
}

/// A request for the app's secret, and the pipe that carries it.
///
/// [Requests](https://flatpak.github.io/xdg-desktop-portal/docs/requests.html). The option `token` is not sent: no portal
/// has ever answered with one.
@safe
private final class PortalRequest {
    private static let service = "org.freedesktop.portal.Desktop"
    private static let root = "/org/freedesktop/portal/desktop"
    /// The size of the secret, in bytes.
    private static let size = 64

    private let bus: SessionBus
    private let pipe: Int32
    private let path: ObjectPath
    private let call: SessionBus.PendingReply
    private let response: Pending<UInt32, SecureStoreError>
    private let subscriptions: [guint]
    private let leaving: UnsafeMutablePointer<GCancellable>

    /// Finds the portal, starting it if the bus can, and sends the request.
    ///
    /// - Throws: ``BusError``; ``SecureStoreError`` (`timedOut`, `failed`).
    init(on bus: SessionBus, before deadline: CallDeadline) throws {
        let owner = try bus.owner(of: Self.service, before: deadline)
        var ends: [Int32] = [-1, -1]
        guard let name = bus.ownName, unsafe g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else {
            throw SecureStoreError(.failed, detail: "no pipe")
        }
        // The reading end alone: each end has its own flags.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let token = "sallyport_\(RandomName.make())"
        let sender = String(name.dropFirst().map { $0 == "." ? "_" : $0 })
        let path = ObjectPath(text: "\(Self.root)/request/\(sender)/\(token)")
        let response = Pending<UInt32, SecureStoreError>()
        let handler = SessionBus.SignalHandler { signal, members in
            guard response.result == nil else { return }
            if signal == "Response" {
                response.result = members.first?.uint32.map { .success($0) }
            } else if members.last?.string == "" {
                response.result = .failure(SecureStoreError(.noProvider, detail: "the portal exited"))
            }
        }
        let leaving: UnsafeMutablePointer<GCancellable> = unsafe g_cancellable_new()
        let request = SessionBus.Request(
            destination: owner,
            path: ObjectPath(text: Self.root),
            interface: "org.freedesktop.portal.Secret",
            method: "RetrieveSecret",
            arguments: [.firstDescriptor, .dictionary(["handle_token": Variant.string(token)])],
            descriptor: ends[1],
            reply: "(o)"
        )
        // Before the call, because the response may come before its reply.
        (subscriptions, call) = bus.receivingNotices {
            let subscriptions = [
                bus.subscribe("Response", of: "org.freedesktop.portal.Request", from: owner, at: path.text, handler),
                bus.subscribe(
                    "NameOwnerChanged",
                    of: SessionBus.busName,
                    from: SessionBus.busName,
                    at: nil,
                    with: owner,
                    handler
                ),
            ]
            // The longest timeout: the calls that wait have deadlines of their own.
            return unsafe (subscriptions, bus.start(request, .max, leaving))
        }
        (self.bus, self.path, self.response, pipe) = (bus, path, response, ends[0])
        unsafe self.leaving = leaving
    }

    deinit {
        // Ends the call alone, if it is still open, because it would keep the connection alive.
        unsafe g_cancellable_cancel(leaving)
        while call.result == nil { unsafe g_main_context_iteration(bus.notices, 1) }
        unsafe g_object_unref(leaving)
        for subscription in subscriptions { unsafe g_dbus_connection_signal_unsubscribe(bus.connection, subscription) }
        close(pipe)
    }

    /// Waits until the portal says that it has written the secret.
    ///
    /// - Throws: ``BusError``; ``SecureStoreError`` (`locked`, `promptDismissed`, `noProvider`, `noSessionBus`, `timedOut`).
    func wait(before deadline: CallDeadline) throws {
        try bus.receivingNotices {
            try unsafe bus.receive(in: bus.notices, before: deadline) {
                if let reply = try call.result?.get(), reply.first?.objectPath != path {
                    throw BusError(unexpectedReplyOf: "RetrieveSecret")
                }
                return response.result != nil
            }
        }
        switch try response.result?.get() {
        case 0: return
        case 1: throw SecureStoreError(.promptDismissed, detail: "the portal's prompt was dismissed")
        default: throw SecureStoreError(.locked, detail: "the portal refused")
        }
    }

    /// Reads the key from the pipe: exactly 64 bytes, and never more than one byte beyond them.
    ///
    /// - Throws: ``SecureStoreError`` (`failed` for another number of bytes; `timedOut`).
    func key(before deadline: CallDeadline) throws -> FileKey {
        var buffer = [UInt8](repeating: 0, count: Self.size + 1)
        defer { Wiping.wipe(&buffer) }
        var count = 0
        while count < buffer.count {
            // Safe: `read` writes to the rest of the buffer only within the call that lends it.
            let step = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(pipe, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            if step == 0 { break }
            if step > 0 {
                count += step
            } else if errno == EAGAIN {
                // A portal that keeps its end open has written all the same.
                guard count < Self.size else { break }
                var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&wait, 1, min(50, try deadline.remainingMilliseconds()))
            } else if errno != EINTR {
                throw SecureStoreError(.failed, detail: "read, errno \(errno)")
            }
        }
        guard count == Self.size else {
            throw SecureStoreError(.failed, detail: "the portal's secret has another size")
        }
        return FileKey(ofPortal: SecretBytes(buffer[..<count]))
    }
}

extension FileKey {
    /// Wraps the secret of a portal, which may be text: no user has chosen it.
    fileprivate init(ofPortal bytes: SecretBytes) { self.bytes = bytes }
}
#elseif os(Linux)
/// The key of the secret portal, which needs the package traits `Keyring` and `EncryptedFile`.
@available(*, unavailable, message: "Enable the package traits Keyring, a default trait, and EncryptedFile.")
public enum PortalKey {}
#endif
