#if LoopbackRedirect
import AuthCore
import NIOCore

/// Waits on the loopback interface for the browser to come back, once.
///
/// Bound before the address is known, so that nobody can be there first. Takes only GET on its path with its own
/// `Host`, on Linux only from a process of this user or root, and of these only the one that is awaited; whatever else
/// comes is answered and changes nothing. The port is
/// free again when the wait is over, when its task is cancelled, and when the listener is released.
/// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
public final class LoopbackListener: Sendable {
    /// What goes into the authorization request as the redirect URI.
    ///
    /// Wire: `redirect_uri`, or `post_logout_redirect_uri`.
    public let redirectURI: String
    private let origin: String
    let sockets: LoopbackSockets
    private let connections: LoopbackConnections
    private let door: CallbackDoor

    private init(
        _ redirect: LoopbackRedirect,
        _ sockets: LoopbackSockets,
        _ connections: LoopbackConnections,
        _ door: CallbackDoor
    ) {
        let host = redirect.host == .localhost ? "localhost" : sockets.host
        let authority = Self.authority(host: host, port: sockets.port)
        origin = "http://" + authority
        redirectURI = origin + redirect.path
        self.sockets = sockets
        self.connections = connections
        self.door = door
        door.admit(authority: authority)
    }

    deinit {
        sockets.close()
        connections.end()
    }

    /// Begins to listen.
    ///
    /// - Parameter redirect: Where the browser comes back to.
    /// - Returns: The listener, bound.
    /// - Throws: ``AuthorizationError`` (`listenerFailed`: the port is taken, with ``LoopbackRedirect/Host/localhost`` on
    ///   any of the addresses the name may mean, or no port is free, or port or path are none).
    public static func start(_ redirect: LoopbackRedirect = LoopbackRedirect()) async throws -> LoopbackListener {
        try await start(redirect, limits: LoopbackLimits())
    }

    /// Begins to listen, within limits that tests choose.
    ///
    /// - Parameters:
    ///   - redirect: Where the browser comes back to.
    ///   - limits: What connections may take.
    /// - Returns: The listener, bound.
    /// - Throws: ``AuthorizationError`` (`listenerFailed`).
    package static func start(_ redirect: LoopbackRedirect, limits: LoopbackLimits) async throws -> LoopbackListener {
        guard redirect.isUsable else { throw AuthorizationError(.listenerFailed) }
        let door = CallbackDoor(path: redirect.path, appName: redirect.appName)
        let connections = LoopbackConnections(limit: limits.connections)
        // Of free ports some are tried, as a stranger may be on the other address.
        let ports = Array(repeating: redirect.port, count: redirect.port == 0 ? 16 : 1)
        let sockets = await LoopbackSockets.bind(ports: ports, name: redirect.host) { pipeline in
            try CallbackHandler(door: door, connections: connections, limits: limits).join(pipeline)
        }
        guard let sockets else { throw AuthorizationError(.listenerFailed) }
        return LoopbackListener(redirect, sockets, connections, door)
    }

    /// How browsers write an authority: the port that is http's own is left out.
    static func authority(host: String, port: Int) -> String { port == 80 ? host : "\(host):\(port)" }

    /// Opens the browser and waits for the response to a request.
    ///
    /// An answer to another attempt is not taken and the wait goes on. The listener is over afterwards.
    ///
    /// Ends at once when the task is cancelled: the port is closed, and a response that came is not kept.
    ///
    /// - Parameters:
    ///   - request: The request whose response is awaited.
    ///   - open: Brings the person to the request's URL; called once the listener is ready for the answer.
    /// - Returns: The response, checked.
    /// - Throws: ``AuthorizationError`` (`cancelled`, `refused`, `malformed`, `issuerMismatch`; `listenerFailed`: the
    ///   listener is over); what `open` throws; `CancellationError`.
    public func response(
        to request: AuthorizationRequest,
        opening open: (String) async throws -> Void
    ) async throws -> AuthorizationResponse {
        try await callback(for: .signIn, opening: { try await open(request.url()) }) { query in
            // Any page can send the browser here: without the state, not even a malformed answer ends the wait.
            guard AuthorizationResponse.isAnswer(query: query, to: request) else { return nil }
            return Result { () throws(AuthorizationError) in
                try AuthorizationResponse(query: query, answering: request)
            }
        }
    }

    /// Opens the browser and waits for a callback.
    ///
    /// The listener is over afterwards. Who waits is told once the browser has its page, or does not read it in time.
    ///
    /// Ends at once when the task is cancelled: the port is closed, and a callback that came is not kept.
    ///
    /// - Parameters:
    ///   - purpose: What the browser was sent away for.
    ///   - open: Brings the person to where the callback comes from; called once the listener is ready for it.
    ///   - check: What a callback's query, from outside, means; nil for one that is not awaited, and then the wait goes
    ///     on. Must not be slow, and may be called for many.
    /// - Returns: What the check made of the first callback that it took.
    /// - Throws: ``AuthorizationError`` (the check's; `listenerFailed`: the listener is over); what `open` throws;
    ///   `CancellationError`.
    package func callback<Value: Sendable>(
        for purpose: CallbackPurpose,
        opening open: () async throws -> Void,
        _ check: @escaping @Sendable (_ query: String) -> Result<Value, AuthorizationError>?
    ) async throws -> Value {
        let wait = CallbackWait<Value>()
        let isFirst = door.open(for: purpose) { query in
            check(query).map { result in
                CallbackDoor.Guest(succeeded: (try? result.get()) != nil) { wait.finish(result.mapError { $0 }) }
            }
        }
        guard isFirst else { throw AuthorizationError(.listenerFailed) }
        // Where a socket is lost, the browser finds nobody there, or a stranger.
        sockets.onClose { wait.finish(.failure(AuthorizationError(.listenerFailed))) }
        let outcome: Result<Value, any Error>
        do {
            try await open()
            outcome = .success(try await wait.value())
        } catch {
            outcome = .failure(error)
        }
        sockets.close()
        connections.end()
        await sockets.closed()
        return try outcome.get()
    }

    /// Makes an address here that sends the browser on to another one, once.
    ///
    /// A browser gets its address as an argument, and every process can read another one's arguments: a URL that holds an
    /// ID token must not stand there. This address is worth nothing once the browser has asked for it. On Linux it leads
    /// only this user's processes and root's on, so another user can't take it first; other systems don't tell whose
    /// process asks. Good until the listener is over.
    ///
    /// - Parameter url: Where the browser shall go. May hold a secret.
    /// - Returns: The address, whose path is 128 random bits.
    package func startURL(redirectingTo url: String) -> String {
        startURL(redirectingTo: url, nil)
    }

    /// The same, and tells when the browser is on its way.
    func startURL(redirectingTo url: String, _ announce: (@Sendable () -> Void)?) -> String {
        origin + door.addHop(to: Self.fieldValue(url), announce)
    }

    /// A URL as a field's value: what can't stand in one is escaped, so that no line begins where none should.
    private static func fieldValue(_ url: String) -> String {
        url.utf8.reduce(into: "") { text, byte in
            if (0x21...0x7E).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + Hexadecimal.encode([byte]).uppercased()
            }
        }
    }
}
#endif
