import HTTPTypes

extension APIClient {
    /// How a call ended.
    struct Finished: Sendable {
        let response: TransportResponse
        let ending: Ending
        /// The sendings before the last one.
        let attempts: [Attempt]
    }

    /// Carries a call out, past the interceptors where there are any.
    func carriedOut(_ opening: Opening) async throws -> Finished {
        guard !configuration.interceptors.isEmpty else { return try await direct(opening) }
        let record = CallRecord<Never>()
        let (head, body) = try await chain(for: opening).run(opening.head, body: opening.body) { head, body in
            var call = try call(opening, head, body)
            let received = try await received(&call)
            record.write(received.ending, attempts: call.attempts)
            return (received.response.head, ResponseBody(received.response.body))
        }
        let response = TransportResponse(head: head, body: try await body.collected())
        return Finished(response: response, ending: record.ending, attempts: record.attempts)
    }

    /// The same where nobody looks on: what interceptors are given and give back is a good part of the client's work.
    private func direct(_ opening: Opening) async throws -> Finished {
        var call = try call(opening, opening.head, opening.body)
        let received = try await received(&call)
        return Finished(response: received.response, ending: received.ending, attempts: call.attempts)
    }

    private func received(_ call: inout Call) async throws -> Received {
        try await call.run { request, nextStep -> Exchanged<Received> in
            let response = try await tools.transport.send(request)
            let step = nextStep(response.head)
            guard case .finish(let ending) = step else { return .again(step, status: response.head.status.code) }
            return .ended(Received(response: response, ending: ending))
        }
    }
}
