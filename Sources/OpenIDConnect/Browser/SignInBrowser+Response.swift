#if LoopbackRedirect
import AuthCore
import Synchronization

extension SignInBrowser {
    /// Brings the person to the provider and waits until the browser comes back.
    ///
    /// A callback without the request's state is not the answer, and the wait goes on. Where nothing else comes, it is said
    /// in the end: then the provider, or somebody on the way, has changed it.
    ///
    /// - Parameters:
    ///   - request: The request whose response is awaited.
    ///   - url: What the browser opens for it.
    ///   - listener: Where the browser comes back to.
    /// - Returns: The response, checked.
    /// - Throws: ``AuthorizationError`` (`timedOut`, `stateMismatch`, `cancelled`, `refused`, `malformed`,
    ///   `issuerMismatch`, `listenerFailed`); what opening the browser throws; `CancellationError`.
    package func response(
        to request: AuthorizationRequest,
        at url: String,
        from listener: LoopbackListener
    ) async throws -> AuthorizationResponse {
        let stranger = Stranger()
        do {
            return try await limited {
                try await listener.callback(for: .signIn, opening: { try await open(url) }) { query in
                    // Any page can send the browser here: without the state, not even a malformed answer ends the wait.
                    guard AuthorizationResponse.isAnswer(query: query, to: request) else {
                        stranger.note()
                        return nil
                    }
                    return Result { () throws(AuthorizationError) in
                        try AuthorizationResponse(query: query, answering: request)
                    }
                }
            }
        } catch let error as AuthorizationError where error.code == .timedOut && stranger.hasCome {
            throw AuthorizationError(.stateMismatch)
        }
    }

    /// Whether a callback has come that was no answer.
    private final class Stranger: Sendable {
        private let came = Mutex(false)

        var hasCome: Bool { came.withLock { $0 } }

        func note() { came.withLock { $0 = true } }
    }
}
#endif
