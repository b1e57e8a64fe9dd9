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
    func `a passing status is tried again, with pauses that double`(status: Int) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(status) }
        let error = await fixture.failure()
        #expect(error?.status == status)
        #expect(fixture.transport.requests.count == 4)
        #expect(fixture.clock.pauses == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
        #expect(error?.attempts.map(\.status) == [status, status, status])
        #expect(error?.attempts.map(\.pause) == fixture.clock.pauses)
        #expect(error?.attempts.map(\.kind) == [.retry, .retry, .retry])
    }

    @Test(arguments: [400, 404, 409, 422, 500, 501, 505])
    func `a status that does not pass is not tried again`(status: Int) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(status) }
        #expect(await fixture.failure()?.status == status)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a call whose retry is answered succeeds`() async throws {
        let answers = Answers([.failure(Self.fault(.connectionClosed)), .success(CallFixture.ada)])
        let fixture = try CallFixture { _ in try answers.next() }
        #expect(try await fixture.get() == Person())
    }

    @Test(
        arguments: [.connectionRefused, .hostNotFound, .timedOut, .connectionClosed] as [TransportError.Code]
    )
    func `a passing fault is tried again, and the error says how often`(code: TransportError.Code) async throws {
        let fixture = try CallFixture { _ in throw Self.fault(code) }
        let error = await fixture.failure()
        #expect(error?.code == .unreachable)
        #expect((error?.underlying as? TransportError)?.code == code)
        #expect(error?.attempts.map(\.fault) == [code, code, code])
        #expect(fixture.transport.requests.count == 4)
    }

    @Test(arguments: [.insecureConnection, .responseTooLarge, .failed] as [TransportError.Code])
    func `a fault that does not pass is not tried again`(code: TransportError.Code) async throws {
        let fixture = try CallFixture { _ in throw Self.fault(code, reached: false) }
        #expect((await fixture.failure()?.underlying as? TransportError)?.code == code)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(
        arguments: [
            (.get, true), (.head, true), (.options, true), (.put, true), (.delete, true), (.post, false),
            (.patch, false),
        ] as [(HTTPRequest.Method, Bool)]
    )
    func `what may have been carried out is repeated only where that is the same as once`(
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

    @Test func `a request that surely did not arrive is repeated whatever its method`() async throws {
        let fixture = try CallFixture { _ in throw Self.fault(.connectionRefused, reached: false) }
        _ = await fixture.failure(of: .raw(.post, "/me", body: .bytes([1])))
        #expect(fixture.transport.requests.count == 4)
    }

    @Test func `an Idempotency-Key makes any method repeatable, and stays the same`() async throws {
        let field = try #require(HTTPField.Name("Idempotency-Key"))
        let fixture = try CallFixture { _ in CallFixture.refusal(503) }
        _ = try await fixture.client.send(.raw(.post, "/me", options: EndpointOptions(headers: [field: "1"])))
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == ["1", "1", "1", "1"])
    }

    @Test func `a body that can be sent once is not sent again`() async throws {
        let fixture = try CallFixture { _ in throw Self.fault(.connectionRefused, reached: false) }
        let error = await fixture.failure(of: .raw(.put, "/me", body: CallFixture.oneShot()))
        #expect(error?.code == .unreachable)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a pause lies between nothing and its limit`() async throws {
        let fixture = try CallFixture(configure: { $0.random = { 0.25 } }) { _ in CallFixture.refusal(503) }
        _ = await fixture.failure()
        #expect(fixture.clock.pauses == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        let none = try CallFixture(configure: { $0.random = { 0 } }) { _ in CallFixture.refusal(503) }
        _ = await none.failure()
        #expect(none.clock.pauses == [.zero, .zero, .zero])
    }

    @Test func `pauses stop growing, also after a great many`() async throws {
        let policy = RetryPolicy(maximumRetries: 9, firstPause: .seconds(1), longestPause: .seconds(3))
        let fixture = try CallFixture(configure: { $0.retries = policy }) { _ in CallFixture.refusal(503) }
        _ = await fixture.failure()
        #expect(fixture.clock.pauses == [1, 2, 3, 3, 3, 3, 3, 3, 3].map { .seconds($0) })
    }

    @Test func `an endpoint can say never, and an anonymous one how often`() async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(503) }
        _ = await fixture.failure(EndpointOptions(retries: .never))
        #expect(fixture.transport.requests.count == 1)
        _ = await fixture.failure(.anonymous)
        #expect(fixture.transport.requests.count == 2)
        _ = await fixture.failure(EndpointOptions(requiresAuthentication: false, retries: .standard))
        #expect(fixture.transport.requests.count == 6)
    }

    @Test func `a dead server is not hammered: all calls share a budget`() async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(503) }
        for _ in 0..<20 { _ = await fixture.failure() }
        #expect(fixture.transport.requests.count == 20 + 10)
    }

    @Test func `ten good answers bring one retry back, and a full budget holds no more`() async throws {
        let fixture = try CallFixture { request in
            request.head.path == "/good" ? CallFixture.ada : CallFixture.refusal(503)
        }
        let good = { _ = try await fixture.client.send(.raw(.get, "/good")) }
        for _ in 0..<100 { try await good() }
        for _ in 0..<20 { _ = await fixture.failure() }
        #expect(fixture.transport.count(of: "/me") == 30)
        for _ in 0..<9 { try await good() }
        _ = await fixture.failure()
        #expect(fixture.transport.count(of: "/me") == 31)
        try await good()
        _ = await fixture.failure()
        #expect(fixture.transport.count(of: "/me") == 33)
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled pause ends at once`() async throws {
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
