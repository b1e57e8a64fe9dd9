// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A response while it arrives, delivered by an HTTP client and taken by one caller.
final class IncomingResponse: Sendable {
    /// The channel for the head, which comes once.
    let heads = AsyncChannel<HTTPResponse>()
    /// The channel for the body.
    let chunks = AsyncChannel<[UInt8]>()

    /// Reports that the response is complete.
    func finish() {
        heads.finish(throwing: TransportError(.connectionClosed, mayHaveReachedServer: true))
        chunks.finish()
    }

    /// Reports an error, after the caller has taken what came.
    func fail(_ error: any Error) {
        heads.finish(throwing: error)
        chunks.finish(throwing: error)
    }

    /// Reports an error, and discards what came.
    func abandon(_ error: any Error) {
        heads.finish(throwing: error, dropping: true)
        chunks.finish(throwing: error, dropping: true)
    }

    /// Reads the whole response.
    ///
    /// - Parameters:
    ///   - request: The request, whose method and size limit bound the response.
    ///   - rest: The rest of its time.
    /// - Returns: The head and body.
    /// - Throws: ``TransportError`` (`timedOut`, `responseTooLarge`, the client's error); `CancellationError`.
    func whole(for request: TransportRequest, within rest: Duration) async throws -> TransportResponse {
        try await withIdleTimer(rest) { _ in
            let head = try await self.head()
            let limit = request.maximumResponseSize
            let tooLarge = TransportError(.responseTooLarge, mayHaveReachedServer: true)
            // Refused before any of the body is read. A response to HEAD declares a body that it does not have.
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

    /// Passes the response to a reader while it arrives.
    ///
    /// - Parameters:
    ///   - request: The request, whose timeout bounds each chunk.
    ///   - rest: The rest of its time, for the head.
    ///   - read: The reader.
    /// - Returns: The value of `read`.
    /// - Throws: ``TransportError`` (`timedOut`, the client's error); an error of `read`; `CancellationError`.
    func streamed<Value: Sendable>(
        for request: TransportRequest,
        within rest: Duration,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        try await withIdleTimer(rest) { idleTimer in
            let head = try await self.head()
            idleTimer.suspend(thenWaiting: request.timeout)
            return try await read(head, ResponseBody(TimedChunks(chunks: self.chunks, idleTimer: idleTimer)))
        }
    }

    private func head() async throws -> HTTPResponse {
        guard let head = try await heads.next() else { throw CancellationError() }
        return head
    }

    private func withIdleTimer<Value>(
        _ timeout: Duration,
        _ operation: (IdleTimer) async throws -> Value
    ) async throws -> Value {
        let idleTimer = IdleTimer(timeout: timeout) { [self] in
            abandon(TransportError(.timedOut, mayHaveReachedServer: true))
        }
        defer {
            idleTimer.suspend()
            // Later deliveries are dropped.
            abandon(CancellationError())
        }
        return try await operation(idleTimer)
    }
}

/// The body's chunks, with a time limit for each while the reader waits for it.
private struct TimedChunks: AsyncSequence, Sendable {
    let chunks: AsyncChannel<[UInt8]>
    let idleTimer: IdleTimer

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks, idleTimer: idleTimer) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: AsyncChannel<[UInt8]>
        let idleTimer: IdleTimer

        func next() async throws -> [UInt8]? {
            idleTimer.restart()
            defer { idleTimer.suspend() }
            return try await chunks.next()
        }
    }
}
