// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import HTTPTypes

extension APIClient {
    /// The outcome of a streamed call.
    private enum Streamed<Value: Sendable>: Sendable {
        case read(HTTPResponse, Value)
        case failed(any Error)
        /// The response is a failure, with the beginning of its body.
        case refused(Received)
    }

    /// Calls an endpoint and reads the response while it arrives.
    ///
    /// Authentication, retries and redirects are as for ``send(_:)`` until the final response begins. After that
    /// nothing is sent again, because the reader has seen a part of the body. The timeout covers the call until then.
    /// Each part of the body must arrive within the time that was left when the last attempt began.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - progress: The observer, called after each part.
    ///   - read: The reader of a 2xx response's head and of its body while it arrives. Called at most once. The unread
    ///     rest is discarded.
    /// - Returns: The value of `read`.
    /// - Throws: ``APIError``, `unreachable` if the body breaks off; an error of `read`; the token source's error; an
    ///   interceptor's error; `CancellationError`.
    public func download<Value: Sendable>(
        _ endpoint: Endpoint<ResponseBody>,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        let prepared = try prepared(of: endpoint)
        let recorder = OutcomeRecorder<Value>()
        let (head, body) = try await chain(for: prepared).run(prepared.head, body: prepared.body) { head, body in
            var call = try call(prepared, head, body)
            switch try await stream(&call, progress, read) {
            case .read(let head, let value):
                recorder.record(FinalOutcome(), attempts: call.attempts, value: value)
                return (head, ResponseBody([UInt8]()))
            case .refused(let received):
                recorder.record(received.outcome, attempts: call.attempts)
                return (received.response.head, ResponseBody(received.response.body))
            case .failed(let fault as TransportError):
                throw APIError(fault, attempts: call.attempts)
            case .failed(let error):
                throw error
            }
        }
        if let value = recorder.value { return value }
        guard head.status.kind == .successful else {
            let response = TransportResponse(head: head, body: try await body.collected())
            throw failure(response, recorder.outcome, attempts: recorder.attempts)
        }
        // An interceptor returned a response without calling `next`.
        return try await read(head, body)
    }

    private func stream<Value: Sendable>(
        _ call: inout Call,
        _ progress: (@Sendable (TransferProgress) -> Void)?,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Streamed<Value> {
        let deadline = call.deadline
        return try await call.run { request, nextStep in
            try await context.transport.stream(request) { head, body in
                let step = nextStep(head)
                guard case .finish(let outcome) = step else { return .again(step, status: head.status.code) }
                guard head.status.kind == .successful else {
                    // If the body breaks off, the part that arrived is the error's body.
                    let said =
                        (try? await deadline.limit(throwing: APIError(.timedOut)) {
                            try await body.collected(upTo: ErrorResponseParser.maximumBody)
                        }) ?? []
                    try Task.checkCancellation()
                    let response = TransportResponse(head: head, body: said)
                    return .ended(.refused(Received(response: response, outcome: outcome)))
                }
                // Caught here, so that the loop does not retry the reader's error.
                do {
                    return .ended(.read(head, try await read(head, counted(body, head, progress))))
                } catch {
                    return .ended(.failed(error))
                }
            }
        }
    }

    private func counted(
        _ body: ResponseBody,
        _ head: HTTPResponse,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) -> ResponseBody {
        guard let progress else { return body }
        let total = CountedBody.expectedTotal(head.headerFields)
        return ResponseBody(CountedBody(body: body, expectedTotal: total, report: progress))
    }
}

/// A body that reports how much of it has been read.
private struct CountedBody: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let body: ResponseBody
    let expectedTotal: Int?
    let report: @Sendable (TransferProgress) -> Void

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: body.makeAsyncIterator(), expectedTotal: expectedTotal, report: report)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: ResponseBody.AsyncIterator
        let expectedTotal: Int?
        let report: @Sendable (TransferProgress) -> Void
        private var bytes = 0

        init(
            chunks: ResponseBody.AsyncIterator,
            expectedTotal: Int?,
            report: @escaping @Sendable (TransferProgress) -> Void
        ) {
            self.chunks = chunks
            self.expectedTotal = expectedTotal
            self.report = report
        }

        mutating func next() async throws -> [UInt8]? {
            guard let chunk = try await chunks.next() else { return nil }
            bytes += chunk.count
            report(TransferProgress(bytes: bytes, expectedTotal: expectedTotal))
            return chunk
        }
    }

    /// Returns the declared length; nil if the body is encoded, because a transport may decode it.
    static func expectedTotal(_ fields: HTTPFields) -> Int? {
        guard fields[.contentEncoding] == nil else { return nil }
        return fields[.contentLength].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
