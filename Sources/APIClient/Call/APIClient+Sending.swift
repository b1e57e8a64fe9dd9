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
    ///
    /// Where nobody looks on, what interceptors are given and give back would be a good part of the client's work.
    func carriedOut(_ opening: Opening) async throws -> Finished {
        guard !configuration.interceptors.isEmpty else { return try await sent(try call(opening)) }
        let record = CallRecord<Never>()
        let (head, body) = try await chain(for: opening).run(opening.head, body: opening.body) { head, body in
            let sent = try await sent(try call(opening, head, body))
            record.write(sent.ending, attempts: sent.attempts)
            return (sent.response.head, ResponseBody(sent.response.body))
        }
        let response = TransportResponse(head: head, body: try await body.collected())
        return Finished(response: response, ending: record.ending, attempts: record.attempts)
    }

    /// Sends what interceptors left of a call, until there is an answer to return.
    private func sent(_ call: Call) async throws -> Finished {
        var call = call
        let received = try await call.run { request, nextStep -> Exchanged<Received> in
            let response = try await tools.transport.send(request)
            let step = nextStep(response.head)
            guard case .finish(let ending) = step else { return .again(step, status: response.head.status.code) }
            return .ended(Received(response: response, ending: ending))
        }
        return Finished(response: received.response, ending: received.ending, attempts: call.attempts)
    }
}
