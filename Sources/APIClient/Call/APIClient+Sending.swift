// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension APIClient {
    /// The outcome of a call.
    struct Finished: Sendable {
        let response: TransportResponse
        let outcome: FinalOutcome
        /// The attempts before the last one.
        let attempts: [APIError.Attempt]
    }

    /// Carries out a call, through the interceptors if there are any.
    ///
    /// Without interceptors their adapters are skipped, because the adapters take a good part of a call's time.
    func carriedOut(_ prepared: PreparedCall) async throws -> Finished {
        guard !configuration.interceptors.isEmpty else { return try await sent(try call(prepared)) }
        let recorder = OutcomeRecorder<Never>()
        let (head, body) = try await chain(for: prepared).run(prepared.head, body: prepared.body) { head, body in
            let sent = try await sent(try call(prepared, head, body))
            recorder.record(sent.outcome, attempts: sent.attempts)
            return (sent.response.head, ResponseBody(sent.response.body))
        }
        let response = TransportResponse(head: head, body: try await body.collected())
        return Finished(response: response, outcome: recorder.outcome, attempts: recorder.attempts)
    }

    func chain(for prepared: PreparedCall) -> InterceptorChain {
        InterceptorChain(
            interceptors: configuration.interceptors,
            baseURL: baseURL,
            operationID: prepared.operationID
        )
    }

    /// Sends a call as the interceptors left it, until there is a final response.
    private func sent(_ call: Call) async throws -> Finished {
        var call = call
        let received = try await call.run { request, nextStep -> AttemptResult<Received> in
            let response = try await context.transport.send(request)
            let step = nextStep(response.head)
            guard case .finish(let outcome) = step else { return .again(step, status: response.head.status.code) }
            return .ended(Received(response: response, outcome: outcome))
        }
        return Finished(response: received.response, outcome: received.outcome, attempts: call.attempts)
    }
}

/// A chain that calls the interceptors from first to last, and then the client itself.
struct InterceptorChain: Sendable {
    let interceptors: [any Interceptor]
    let baseURL: BaseURL
    let operationID: String?

    func run(
        _ request: HTTPRequest,
        body: RequestBody,
        from index: Int = 0,
        _ carryOut: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
    ) async throws -> (HTTPResponse, ResponseBody) {
        guard index < interceptors.count else { return try await carryOut(request, body) }
        return try await interceptors[index]
            .intercept(request, body: body, baseURL: baseURL, operationID: operationID) { request, body in
                try await run(request, body: body, from: index + 1, carryOut)
            }
    }
}
