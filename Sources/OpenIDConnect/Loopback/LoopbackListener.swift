#if LoopbackRedirect
import NIOCore
import NIOHTTP1
import NIOPosix

/// Waits on the loopback interface for the browser to come back from the provider.
///
/// Bound to 127.0.0.1 on a free port before the address is known, so that nobody can be there first. Takes only GET on
/// its path with its own `Host`. [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
public final class LoopbackListener: Sendable {
    /// What goes into the authorization request as the redirect URI.
    public let redirectURI: String
    private let channel: any Channel
    private let callback: CallbackBox

    private init(channel: any Channel, redirectURI: String, callback: CallbackBox) {
        self.channel = channel
        self.redirectURI = redirectURI
        self.callback = callback
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Begins to listen.
    ///
    /// - Parameter port: The port; 0 for a free one.
    /// - Returns: The listener, bound.
    /// - Throws: ``AuthorizationError`` (`listenerFailed`).
    public static func start(port: Int = 0) async throws -> LoopbackListener {
        let callback = CallbackBox()
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 16)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(allTimeout: .seconds(10)))
                        try channel.pipeline.syncOperations.addHandler(CallbackHandler(callback: callback))
                    }
                }
                .bind(host: "127.0.0.1", port: port).get()
            guard let bound = channel.localAddress?.port else { throw AuthorizationError(.listenerFailed) }
            let authority = "127.0.0.1:\(bound)"
            callback.accept(authority: authority)
            return LoopbackListener(
                channel: channel,
                redirectURI: "http://\(authority)\(CallbackBox.path)",
                callback: callback
            )
        } catch {
            throw AuthorizationError(.listenerFailed)
        }
    }

    /// Opens the browser and waits for the response to a request.
    ///
    /// An answer to another attempt is not taken and the wait goes on. Ends at once when the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request whose response is awaited.
    ///   - open: Brings the person to the request's URL; called once the listener is ready for the answer.
    /// - Returns: The response, checked.
    /// - Throws: ``AuthorizationError`` (`cancelled`, `refused`, `malformed`, `issuerMismatch`); what `open` throws;
    ///   `CancellationError`.
    public func response(
        to request: AuthorizationRequest,
        opening open: (String) async throws -> Void
    ) async throws -> AuthorizationResponse {
        defer { channel.close(promise: nil) }
        callback.expect { query in
            // Any page can send the browser here: without the state, not even a malformed answer ends the wait.
            guard AuthorizationResponse.isAnswer(query: query, to: request) else { return nil }
            do throws(AuthorizationError) {
                return .success(try AuthorizationResponse(query: query, answering: request))
            } catch {
                return .failure(error)
            }
        }
        try await open(request.url)
        return try await callback.value()
    }
}
#endif
