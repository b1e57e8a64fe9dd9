public import HTTPTypes

extension APIClient {
    /// What came of a streamed call.
    private enum Streamed<Value: Sendable>: Sendable {
        case read(HTTPResponse, Value)
        case failed(any Error)
        /// The answer is a failure; the beginning of its body.
        case refused(Received)
    }

    /// Calls an endpoint and reads the answer while it comes.
    ///
    /// Authentication, retries and redirects are as for ``send(_:)``, up to where the final answer begins: after that
    /// nothing is sent again, because the reader has seen a part. The timeout covers all until then; each part of the body
    /// is waited for as long as was left of it.
    ///
    /// - Parameters:
    ///   - endpoint: What to call.
    ///   - progress: Told after each part how far it is.
    ///   - read: Given the head of a 2xx answer, and the body while it comes. Called once at most. What it leaves unread
    ///     is thrown away.
    /// - Returns: What `read` returns.
    /// - Throws: ``APIError``, `unreachable` where the body breaks off; what `read` throws; the token source's error; an
    ///   interceptor's; `CancellationError`.
    public func download<Value: Sendable>(
        _ endpoint: Endpoint<ResponseBody>,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        let opening = try opening(of: endpoint)
        let record = CallRecord<Value>()
        let (head, body) = try await chain(for: opening).run(opening.head, body: opening.body) { head, body in
            var call = try call(opening, head, body)
            switch try await stream(&call, progress, read) {
            case .read(let head, let value):
                record.write(Ending(), attempts: call.attempts, value: value)
                return (head, ResponseBody([UInt8]()))
            case .refused(let received):
                record.write(received.ending, attempts: call.attempts)
                return (received.response.head, ResponseBody(received.response.body))
            case .failed(let fault as TransportError):
                throw APIError(fault, attempts: call.attempts)
            case .failed(let error):
                throw error
            }
        }
        if let value = record.value { return value }
        guard head.status.kind == .successful else {
            let response = TransportResponse(head: head, body: try await body.collected())
            throw failure(response, record.ending, attempts: record.attempts)
        }
        // An interceptor answered by itself.
        return try await read(head, body)
    }

    private func stream<Value: Sendable>(
        _ call: inout Call,
        _ progress: (@Sendable (TransferProgress) -> Void)?,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Streamed<Value> {
        let deadline = call.deadline
        return try await call.run { request, nextStep in
            try await tools.transport.stream(request) { head, body in
                let step = nextStep(head)
                guard case .finish(let ending) = step else { return .again(step, status: head.status.code) }
                guard head.status.kind == .successful else {
                    // What broke off says as much of the failure as came.
                    let said =
                        (try? await deadline.limit(throwing: APIError(.timedOut)) {
                            try await body.collected(upTo: FailureAnswer.maximumBody)
                        }) ?? []
                    try Task.checkCancellation()
                    let response = TransportResponse(head: head, body: said)
                    return .ended(.refused(Received(response: response, ending: ending)))
                }
                // Caught here, so that the loop does not take it for a fault that may be repeated.
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
