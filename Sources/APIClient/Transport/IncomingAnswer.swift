import HTTPTypes

/// One answer while it comes: what a client underneath delivers, and what one caller takes.
final class IncomingAnswer: Sendable {
    /// The head, once.
    let heads = HandOff<HTTPResponse>()
    /// The body.
    let chunks = HandOff<[UInt8]>()

    /// Says that all of it came.
    func finish() {
        heads.finish(throwing: TransportError(.connectionClosed, mayHaveReachedServer: true))
        chunks.finish()
    }

    /// Says that no more of it comes, once what came was taken.
    func fail(_ error: any Error) {
        heads.finish(throwing: error)
        chunks.finish(throwing: error)
    }

    /// Says so, and throws away what came.
    func abandon(_ error: any Error) {
        heads.finish(throwing: error, dropping: true)
        chunks.finish(throwing: error, dropping: true)
    }

    /// Reads the whole of it.
    ///
    /// - Parameters:
    ///   - request: Whose size and method bound it.
    ///   - rest: What is left of its time.
    /// - Returns: Head and body.
    /// - Throws: ``TransportError`` (`timedOut`, `responseTooLarge`, what the client said); `CancellationError`.
    func whole(for request: TransportRequest, within rest: Duration) async throws -> TransportResponse {
        try await withWatchdog(rest) { _ in
            let head = try await self.head()
            let limit = request.maximumResponseSize
            let tooLarge = TransportError(.responseTooLarge, mayHaveReachedServer: true)
            // Refused before any of it is read. An answer to HEAD declares what it does not bring.
            if request.head.method != .head, head.status != .notModified,
                let declared = head.headerFields[.contentLength].flatMap({ Int($0) }), declared > limit
            {
                throw tooLarge
            }
            var body: [UInt8] = []
            while let chunk = try await self.chunks.next() {
                guard chunk.count <= limit - body.count else { throw tooLarge }
                body += chunk
            }
            return TransportResponse(head: head, body: body)
        }
    }

    /// Gives it away while it comes.
    ///
    /// - Parameters:
    ///   - request: Whose time bounds each chunk.
    ///   - rest: What is left of it for the head.
    ///   - read: Takes it.
    /// - Returns: What `read` returns.
    /// - Throws: ``TransportError`` (`timedOut`, what the client said); what `read` throws; `CancellationError`.
    func streamed<Value: Sendable>(
        for request: TransportRequest,
        within rest: Duration,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        try await withWatchdog(rest) { watchdog in
            let head = try await self.head()
            watchdog.rest(thenWaiting: request.timeout)
            return try await read(head, ResponseBody(WatchedChunks(chunks: self.chunks, watchdog: watchdog)))
        }
    }

    private func head() async throws -> HTTPResponse {
        guard let head = try await heads.next() else { throw CancellationError() }
        return head
    }

    private func withWatchdog<Value>(
        _ patience: Duration,
        _ operation: (Watchdog) async throws -> Value
    ) async throws -> Value {
        let watchdog = Watchdog(patience: patience) { [self] in
            abandon(TransportError(.timedOut, mayHaveReachedServer: true))
        }
        defer {
            watchdog.rest()
            // Whoever delivers finds nobody left to deliver to.
            abandon(CancellationError())
        }
        return try await operation(watchdog)
    }
}

/// The body's chunks, each of which must come in time once it is waited for.
private struct WatchedChunks: AsyncSequence, Sendable {
    let chunks: HandOff<[UInt8]>
    let watchdog: Watchdog

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks, watchdog: watchdog) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: HandOff<[UInt8]>
        let watchdog: Watchdog

        func next() async throws -> [UInt8]? {
            watchdog.wake()
            defer { watchdog.rest() }
            return try await chunks.next()
        }
    }
}
