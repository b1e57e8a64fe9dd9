// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct RetryTests {
    private typealias Person = CallFixture.Person

    private static func fault(_ code: TransportError.Code, reached: Bool = true) -> TransportError {
        TransportError(code, mayHaveReachedServer: reached)
    }

    @Test(arguments: [408, 425, 429, 502, 503, 504])
    func `a temporary status is retried with pauses that double`(status: Int) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(status) }
        let error = await fixture.failure()
        #expect(error?.status == status)
        #expect(fixture.transport.requests.count == 4)
        #expect(fixture.clock.pauses == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
    }

    @Test(arguments: [400, 404, 409, 422, 500, 501, 505])
    func `other statuses are not retried`(status: Int) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(status) }
        #expect(await fixture.failure()?.status == status)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a call succeeds if its retry succeeds`() async throws {
        let responses = ResponseSequence([.failure(Self.fault(.connectionClosed)), .success(CallFixture.ada)])
        let fixture = try CallFixture { _ in try responses.next() }
        #expect(try await fixture.get() == Person())
    }

    @Test(
        arguments: [.connectionRefused, .hostNotFound, .timedOut, .connectionClosed] as [TransportError.Code]
    )
    func `a temporary transport error is retried`(code: TransportError.Code)
        async throws
    {
        let fixture = try CallFixture { _ in throw Self.fault(code) }
        let error = await fixture.failure()
        #expect(error?.code == .unreachable)
        #expect((error?.underlying as? TransportError)?.code == code)
        #expect(fixture.transport.requests.count == 4)
    }

    @Test(arguments: [.insecureConnection, .responseTooLarge, .failed] as [TransportError.Code])
    func `other transport errors are not retried`(code: TransportError.Code) async throws {
        let fixture = try CallFixture { _ in throw Self.fault(code, reached: false) }
        #expect((await fixture.failure()?.underlying as? TransportError)?.code == code)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(
        arguments: [
            (.get, true), (.head, true), (.options, true), (.put, true), (.delete, true), (.trace, true),
            (HTTPRequest.Method("QUERY") ?? .post, true), (.post, false), (.patch, false),
        ] as [(HTTPRequest.Method, Bool)]
    )
    func `a request that may have been processed is retried only if it is idempotent`(
        method: HTTPRequest.Method,
        isRepeated: Bool
    ) async throws {
        let lost = try CallFixture { _ in throw Self.fault(.connectionClosed) }
        _ = await lost.failure(of: .raw(method, "/me"))
        #expect(lost.transport.requests.count == (isRepeated ? 4 : 1))
        let busy = try CallFixture { _ in CallFixture.refusal(503) }
        _ = try await busy.client.send(.raw(method, "/me"))
        #expect(busy.transport.requests.count == (isRepeated ? 4 : 1))
    }

    @Test func `a request that did not reach the server is retried with any method`() async throws {
        let fixture = try CallFixture { _ in throw Self.fault(.connectionRefused, reached: false) }
        _ = await fixture.failure(of: .raw(.post, "/me", body: RequestBody([1])))
        #expect(fixture.transport.requests.count == 4)
    }

    @Test func `an Idempotency-Key makes any method retryable and stays the same`() async throws {
        let field = try #require(HTTPField.Name("Idempotency-Key"))
        let fixture = try CallFixture { _ in CallFixture.refusal(503) }
        _ = try await fixture.client.send(.raw(.post, "/me").with { $0.headers = [field: "1"] })
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == ["1", "1", "1", "1"])
    }

    @Test func `case 17: a call that is sent once is repeated only if it did not reach the server`() async throws {
        for (reached, requests) in [(true, 1), (false, 4)] {
            let fixture = try CallFixture { _ in throw Self.fault(.connectionClosed, reached: reached) }
            _ = await fixture.failure(of: Endpoint<Person>.put("/me").with { $0.sendsOnce = true })
            #expect(fixture.transport.requests.count == requests)
            #expect(fixture.transport.requests.allSatisfy { $0.sendsOnce })
        }
        let refused = try CallFixture { _ in CallFixture.unauthorized() }
        _ = await refused.failure(of: Endpoint<Person>.put("/me").with { $0.sendsOnce = true })
        #expect(refused.transport.requests.count == 1)
        #expect(refused.refreshes == 0)
    }

    @Test func `a send guard reaches the transport, and a request that it stops is not repeated`() async throws {
        let fixture = try CallFixture { request in
            try request.checkSendGuard()
            return CallFixture.ada
        }
        let error = await fixture.failure(of: Endpoint<Person>.put("/me").with { $0.sendGuard = { false } })
        #expect((error?.underlying as? TransportError)?.code == .notSent)
        #expect(error?.mayHaveReachedServer == false)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a pause is random between zero and its limit`() async throws {
        let fixture = try CallFixture(configure: { $0.random = { 0.25 } }) { _ in CallFixture.refusal(503) }
        _ = await fixture.failure()
        #expect(fixture.clock.pauses == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        let none = try CallFixture(configure: { $0.random = { 0 } }) { _ in CallFixture.refusal(503) }
        _ = await none.failure()
        #expect(none.clock.pauses == [.zero, .zero, .zero])
    }

    @Test func `pauses stop growing at the longest pause`() async throws {
        let fixture = try CallFixture(configure: { $0.retries = 9 }) { _ in CallFixture.refusal(503) }
        _ = await fixture.failure()
        let pauses = [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]
        #expect(fixture.clock.pauses == pauses.map { .milliseconds($0) })
    }

    @Test func `a client can disable retries, and an anonymous call has none`() async throws {
        let strict = try CallFixture(configure: { $0.retries = 0 }) { _ in CallFixture.refusal(503) }
        _ = await strict.failure()
        #expect(strict.transport.requests.count == 1)
        let fixture = try CallFixture { _ in CallFixture.refusal(503) }
        _ = await fixture.failure(of: Endpoint<Person>.get("/me").anonymous)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a pause ends at once if the call is cancelled`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        // No pause passes by itself here.
        let fixture = try CallFixture(clock: ManualClock(passingAtOnce: .zero)) { _ in
            ask.yield()
            return CallFixture.refusal(503)
        }
        let call = Task { try await fixture.get() }
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(fixture.transport.requests.count == 1)
    }
}
