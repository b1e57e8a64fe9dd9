extension AuthSession {
    /// Waits for work of five seconds at most, by the session's clock; what is left of it then is cancelled.
    ///
    /// - Parameter work: The work.
    /// - Throws: `CancellationError` at once where the caller's task is cancelled; the work is then cancelled too.
    func waitBriefly(for work: @escaping @Sendable () async -> Void) async throws {
        let end = SharedResult<Void>()
        let working = Task {
            await work()
            end.finish(.success(()))
        }
        let limit = Task { [clock] in
            try await clock.sleep(.seconds(5))
            end.finish(.success(()))
        }
        defer {
            working.cancel()
            limit.cancel()
        }
        try await end.value()
    }
}
