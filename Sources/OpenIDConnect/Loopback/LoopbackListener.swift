// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AuthCore
import Dispatch

/// A listener on the loopback interface that waits for one callback from the browser.
///
/// Its port is bound before the redirect URI is known, so that no other process can take it first. It accepts only
/// the awaited callback: a GET request for its path with its own `Host`, on Linux from a process of this user or of
/// root, as far as the system tells. Every other request gets a response and changes nothing. The port is released
/// after the callback, if the task is cancelled, and if the listener is deallocated.
/// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
public final class LoopbackListener: Sendable {
    /// The redirect URI for the authorization request, or for the sign-out.
    public let redirectURI: String
    private let origin: String
    private let router: CallbackRouter
    /// The end of the listener's thread; all sockets are closed.
    private let end = Promise<Void>()
    /// The end of its output ends the thread.
    let waker: Descriptor

    /// Starts listening, and returns the listener, bound to its port.
    public static func start(_ redirect: LoopbackRedirect = LoopbackRedirect()) async throws -> LoopbackListener {
        try LoopbackListener(redirect, LoopbackLimits())
    }

    /// Starts listening, with limits that tests choose.
    init(_ redirect: LoopbackRedirect, _ limits: LoopbackLimits) throws {
        guard redirect.isUsable else { throw OpenIDError(.authorization, .portUnavailable(nil)) }
        let failure = OpenIDError(.authorization, .portUnavailable(redirect.port == 0 ? nil : redirect.port))
        // Several free ports are tried, because another process may hold the same port of the other address.
        let ports = Array(repeating: redirect.port, count: redirect.port == 0 ? 16 : 1)
        guard let sockets = LoopbackSockets(ports: ports, name: redirect.host), let wakeUp = Descriptor.pair() else {
            throw failure
        }
        let host = redirect.host == .localhost ? "localhost" : sockets.host
        let authority = Self.authority(host: host, port: sockets.port)
        // Browsers request an empty path as "/" (RFC 9110, 4.2.3).
        let path = redirect.path.isEmpty ? "/" : redirect.path
        router = CallbackRouter(authority: authority, path: path, appName: redirect.appName)
        origin = "http://" + authority
        redirectURI = origin + redirect.path
        waker = wakeUp.1
        // A queue of its own has a thread of its own.
        DispatchQueue(label: "sallyport.loopback").async { [end, router] in
            LoopbackConnection.serve(sockets.listening, router, limits, until: wakeUp.0)
            for socket in sockets.listening { socket.closeNow() }
            end.finish(.success(()))
        }
    }

    deinit { waker.endOutput() }

    /// Returns an authority as browsers write it: without http's default port.
    static func authority(host: String, port: Int) -> String { port == 80 ? host : "\(host):\(port)" }

    /// Opens the browser and waits for the response to a request, which it returns checked.
    ///
    /// Calls `open` with the request's URL once the listener is ready. Ignores responses to other requests. The
    /// listener can't be used again afterwards.
    public func response(
        to request: AuthorizationRequest,
        opening open: (String) async throws -> Void
    ) async throws -> AuthorizationResponse {
        try await callback(for: .signIn, opening: { try await open(request.url()) }) {
            AuthorizationResponse.result(query: $0, to: request)
        }
    }

    /// Opens the browser and waits for a callback, as ``response(to:opening:)`` does.
    ///
    /// Returns the value that `check` makes of the first callback that it accepts, once the browser has its page or has
    /// failed to read it in time. A query is untrusted. If `check` returns nil, the wait continues; it must be fast.
    package func callback<Value: Sendable>(
        for purpose: CallbackPurpose,
        opening open: () async throws -> Void,
        _ check: @escaping @Sendable (_ query: String) -> Result<Value, any Error>?
    ) async throws -> Value {
        let callback = Promise<Value>()
        let isFirst = router.open(for: purpose) { query in
            guard let result = check(query) else { return nil }
            return ((try? result.get()) != nil, { callback.finish(result) })
        }
        guard isFirst else { throw OpenIDError(.authorization, .portUnavailable(nil)) }
        return try await wait(for: callback, open)
    }

    /// Redirects the browser to a URL that must not appear in a process's arguments, and waits until it has happened.
    ///
    /// The listener can't be used again afterwards. Ends at once if the task is cancelled. The URL may be secret.
    package func send(browserTo url: String, opening open: (String) async throws -> Void) async throws {
        let redirect = Promise<Void>()
        let start = startURL(redirectingTo: url) { redirect.finish(.success(())) }
        try await wait(for: redirect) { try await open(start) }
    }

    /// Returns a URL of this listener that redirects the browser to another URL, once; its path is 128 random bits.
    ///
    /// Every process can read a browser's arguments, which must not contain an ID token. On Linux only processes of
    /// this user and of root are redirected, and none if this process may not read `/proc/net/tcp`. Other systems don't
    /// tell the owner of a connection. Valid until the listener ends.
    package func startURL(redirectingTo url: String, _ announce: @escaping @Sendable () -> Void = {}) -> String {
        // Escapes the characters that a header field's value must not contain, to prevent header injection.
        let location = url.utf8.map { byte in
            let isAllowed = (0x21...0x7E).contains(byte)
            return isAllowed ? String(Unicode.Scalar(byte)) : "%" + Hexadecimal.encode([byte]).uppercased()
        }
        return origin + router.addRedirect(to: location.joined(), announce)
    }

    /// Opens the browser, waits for a result, and waits until all sockets are closed.
    private func wait<Value>(for result: Promise<Value>, _ open: () async throws -> Void) async throws -> Value {
        let isOver = Task { [end] in
            _ = try? await end.value()
            // If a socket is lost, the browser reaches no listener, or another process.
            result.finish(.failure(OpenIDError(.authorization, .portUnavailable(nil))))
        }
        let outcome: Result<Value, any Error>
        do {
            try await open()
            outcome = .success(try await result.value())
        } catch {
            outcome = .failure(error)
        }
        waker.endOutput()
        await isOver.value
        return try outcome.get()
    }
}

/// The listener's sockets: 127.0.0.1 and [::1] on one port, as far as both are available and safe.
struct LoopbackSockets: Sendable {
    let port: Int
    /// The listener's host, as written in a URL.
    let host: String
    let listening: [Descriptor]

    /// Binds both addresses to the first possible port, 0 for any free one; nil if none is possible.
    ///
    /// Tests change the addresses to simulate machines that lack one.
    init?(ports: [Int], name: LoopbackRedirect.Host, v4: String = "127.0.0.1", v6: String = "::1") {
        // Held until the end, so that the system doesn't offer the same free port again.
        var refused: [Descriptor?] = []
        for port in ports {
            let (v4, v4Failed) = Descriptor.listening(on: v4, port)
            let (v6, v6Failed) = Descriptor.listening(on: v6, v4?.own?.port ?? port)
            // With `localhost` the browser may connect to either address: the process that holds the other one would
            // get the code.
            if !v4Failed, !v6Failed || name == .address, let port = (v4 ?? v6)?.own?.port {
                (self.port, host) = (port, v4 == nil ? "[::1]" : "127.0.0.1")
                listening = [v4, v6].compactMap(\.self)
                return
            }
            refused += [v4, v6]
        }
        return nil
    }
}
#endif
