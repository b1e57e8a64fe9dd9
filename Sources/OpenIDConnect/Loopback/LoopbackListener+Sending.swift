#if LoopbackRedirect
extension LoopbackListener {
    /// Sends the browser on to an address that must not stand in a process's arguments, and waits until it is on its way.
    ///
    /// The listener is over afterwards. Ends at once when the task is cancelled.
    ///
    /// - Parameters:
    ///   - url: Where the browser shall go. May hold a secret.
    ///   - open: Brings the browser to an address of this listener's.
    /// - Throws: ``AuthorizationError`` (`listenerFailed`); what `open` throws; `CancellationError`.
    package func send(browserTo url: String, opening open: (String) async throws -> Void) async throws {
        let wait = CallbackWait<Void>()
        let start = startURL(redirectingTo: url, { wait.finish(.success(())) })
        sockets.onClose { wait.finish(.failure(AuthorizationError(.listenerFailed))) }
        defer { sockets.close() }
        try await open(start)
        try await wait.value()
    }
}
#endif
