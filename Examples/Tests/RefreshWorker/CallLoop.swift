// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import BackendTestSupport
import HTTPTypes

/// A loop that takes an access token and makes a call with it, as long as the user is signed in.
struct CallLoop {
    let context: WorkerContext
    /// The pause between two calls: dozens of these processes share two processors.
    let pause: Duration

    func run(for span: Duration) async throws {
        let transport = try WatchedTransport()
        let session = context.session(transport: transport)
        let client = APIClient(
            baseURL: context.backend.baseURL,
            authenticatedBy: session
        )
        var figures = WorkerFigures()
        let start = ContinuousClock.now
        let end = start.advanced(by: span)
        var nextReport = start.advanced(by: .seconds(1))
        while ContinuousClock.now < end {
            let before = figures.calls
            await call(client, &figures, since: start)
            figures.refreshes = transport.refreshes
            if before == 0, figures.calls == 1 { Output.say(.init(.called)) }
            if case .signedOut(let reason) = session.state {
                figures.isSignedIn = false
                return Output.say(.init(.ended, reason: "\(reason)", figures: figures))
            }
            if ContinuousClock.now >= nextReport {
                nextReport = nextReport.advanced(by: .seconds(1))
                Output.say(.init(.report, figures: figures))
            }
            try await Task.sleep(for: pause)
        }
        // A process that ends in the middle of a refresh loses the new tokens.
        try await session.flush()
        figures.refreshes = transport.refreshes
        Output.say(.init(.done, figures: figures))
    }

    private func call(
        _ client: APIClient,
        _ figures: inout WorkerFigures,
        since first: ContinuousClock.Instant
    ) async {
        let start = ContinuousClock.now
        do {
            _ = try await client.send(.raw(.get, "/api/me"))
            figures.calls += 1
        } catch {
            // The tests examine the errors.
            figures.errors[code(of: error), default: 0] += 1
        }
        let time = start.duration(to: .now) / .seconds(1)
        if time > 1 { figures.slowCalls += 1 }
        if time > figures.longestCall {
            (figures.longestCall, figures.longestCallBegan) = (time, first.duration(to: start) / .seconds(1))
        }
    }

    private func code(of error: any Error) -> String {
        switch error {
        case let error as AuthSessionError: "session.\(error.code)"
        case let error as APIError: "api.\(error.code)"
        default: "\(type(of: error))"
        }
    }
}
