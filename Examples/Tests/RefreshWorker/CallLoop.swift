import APIClient
import AuthCore
import AuthSession
import BackendTestSupport
import HTTPTypes

/// Takes an access token and makes a call with it, again and again, as long as somebody is signed in.
struct CallLoop {
    let place: WorkerPlace
    /// Between two calls: dozens of these share two processors.
    let pause: Duration

    func run(for span: Duration) async throws {
        let transport = WatchedTransport()
        let session = place.session(transport: transport)
        let client = APIClient(
            baseURL: place.backend.baseURL,
            authenticatedBy: session,
            transport: AsyncHTTPClientTransport()
        )
        var figures = WorkerFigures()
        let end = ContinuousClock.now.advanced(by: span)
        var nextReport = ContinuousClock.now.advanced(by: .seconds(1))
        while ContinuousClock.now < end {
            let before = figures.calls
            await call(client, &figures)
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
        // Who ends in the middle of a refresh throws the new tokens away.
        try await session.saveAgain()
        figures.refreshes = transport.refreshes
        Output.say(.init(.done, figures: figures))
    }

    private func call(_ client: APIClient, _ figures: inout WorkerFigures) async {
        let start = ContinuousClock.now
        do {
            _ = try await client.send(.raw(.get, "/api/me"))
            figures.calls += 1
        } catch {
            // What failed is what the tests ask about.
            figures.errors[code(of: error), default: 0] += 1
        }
        figures.longestCall = max(figures.longestCall, start.duration(to: .now) / .seconds(1))
    }

    private func code(of error: any Error) -> String {
        switch error {
        case let error as AuthSessionError: "session.\(error.code)"
        case let error as APIError: "api.\(error.code)"
        default: "\(type(of: error))"
        }
    }
}
