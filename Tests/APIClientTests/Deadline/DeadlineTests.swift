// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// The single deadline for all steps of a call: case 27 of the hard cases of a refresh.
@Suite struct DeadlineTests {
    /// A source that reports that it was asked, and never returns.
    private struct SilentSource: AccessTokenSource {
        let token: AccessToken?
        /// Whether it ignores cancellation.
        let ignoresCancellation: Bool
        let asked: AsyncStream<Void>.Continuation

        func credential() async throws -> AccessCredential {
            if let token { return AccessCredential(token) }
            return try await silence()
        }

        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential { try await silence() }

        private func silence() async throws -> AccessCredential {
            asked.yield()
            let (never, keep) = AsyncStream.makeStream(of: Never.self)
            if ignoresCancellation { await Task { for await _ in never {} }.value }
            for await _ in never {}
            keep.finish()
            throw CancellationError()
        }
    }

    private struct Waiting {
        let clock = ManualClock()
        let transport = ScriptedTransport { _ in CallFixture.unauthorized() }
        let asked: AsyncStream<Void>
        let client: APIClient

        /// Creates a client.
        ///
        /// With a token, the source is silent once the token is refused; without one, from the start.
        init(token: String?, ignoresCancellation: Bool = false) throws {
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            self.asked = asked
            client = APIClient(
                baseURL: try BaseURL("https://api.example.com"),
                authenticatedBy: SilentSource(
                    token: try token.map { try AccessToken($0) },
                    ignoresCancellation: ignoresCancellation,
                    asked: ask
                ),
                transport: transport,
                timeout: .seconds(30),
                clock: clock
            )
        }

        func call() -> Task<TransportResponse, any Error> {
            Task { try await client.send(.raw(.get, "/me")) }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [nil, "t1"], [false, true])
    func `case 27: the call's timeout ends the wait for a token or a refresh`(
        token: String?,
        ignoresCancellation: Bool
    ) async throws {
        let waiting = try Waiting(token: token, ignoresCancellation: ignoresCancellation)
        let call = waiting.call()
        for await _ in waiting.asked { break }
        waiting.clock.advance(by: .seconds(30))
        let error = await #expect(throws: APIError.self) { try await call.value }
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveReachedServer == (token != nil))
        #expect(waiting.transport.requests.count == (token == nil ? 0 : 1))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [nil, "t1"], [false, true])
    func `a call that is cancelled while it waits for a token ends at once`(token: String?, ignoresCancellation: Bool)
        async throws
    {
        let waiting = try Waiting(token: token, ignoresCancellation: ignoresCancellation)
        let call = waiting.call()
        for await _ in waiting.asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func `case 27: every attempt gets the remaining time of the call's timeout`() async throws {
        let clock = ManualClock()
        let fixture = try CallFixture(
            clock: clock,
            configure: {
                $0.timeout = .seconds(56)
                $0.retries = 9
            },
            handler: { _ in
                clock.advance(by: .seconds(10))
                return CallFixture.refusal(503)
            }
        )
        let error = await fixture.failure()
        // Each attempt takes 10 seconds. After the fifth, the remaining time is shorter than the next pause of 3.2.
        let timeouts = [56_000, 45_800, 35_400, 24_600, 13_000]
        #expect(fixture.transport.requests.map(\.timeout) == timeouts.map { .milliseconds($0) })
        #expect(error?.code == .serverFailed)
        #expect(clock.pauses == [200, 400, 800, 1_600].map { .milliseconds($0) })
    }

    @Test func `case 27: a redirect and a refresh share the call's timeout`() async throws {
        // No wait passes by itself here. A wait for a token would use up the time.
        let clock = ManualClock(passingAtOnce: .zero)
        let fixture = try CallFixture(
            clock: clock,
            configure: { $0.timeout = .seconds(60) },
            handler: { request in
                clock.advance(by: .seconds(25))
                return request.head.path == "/me" ? CallFixture.redirect(307, to: "/you") : CallFixture.unauthorized()
            }
        )
        let error = await fixture.failure()
        #expect(fixture.transport.requests.map(\.timeout) == [60, 35, 10].map { .seconds($0) })
        #expect(error?.code == .unauthorized)
    }

    @Test func `case 27: nothing is sent after the call's timeout`() async throws {
        let clock = ManualClock()
        let fixture = try CallFixture(
            clock: clock,
            configure: { $0.timeout = .seconds(20) },
            handler: { _ in
                clock.advance(by: .seconds(21))
                return CallFixture.redirect(307, to: "/you")
            }
        )
        let error = await fixture.failure()
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveReachedServer == true)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(arguments: [(900, 900), (Int64.max, 3_155_760_000)] as [(Int64, Int64)])
    func `a client's timeout applies, however long`(seconds: Int64, applied: Int64) async throws {
        let fixture = try CallFixture(configure: { $0.timeout = .seconds(seconds) }) { _ in CallFixture.ada }
        _ = try await fixture.get()
        #expect(fixture.transport.requests.map(\.timeout) == [.seconds(applied)])
    }
}
