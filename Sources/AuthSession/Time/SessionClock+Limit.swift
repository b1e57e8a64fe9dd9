import AuthCore

extension SessionClock {
    /// Waits for work for at most five seconds by the monotonic clock, then cancels the work.
    ///
    /// - Parameter work: The work.
    /// - Throws: `CancellationError` at once if the caller's task is cancelled; the work is then cancelled too.
    func waitBriefly(for work: @escaping @Sendable () async -> Void) async throws {
        let end = Promise<Void>()
        let working = Task {
            await work()
            end.finish(.success(()))
        }
        let limit = Task { [sleep] in
            try await sleep(.seconds(5))
            end.finish(.success(()))
        }
        defer {
            working.cancel()
            limit.cancel()
        }
        try await end.value()
    }
}
