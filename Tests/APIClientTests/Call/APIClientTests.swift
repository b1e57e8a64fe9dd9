// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@Suite struct APIClientTests {
    private struct Person: Codable, Equatable {
        let name: String
    }

    private static func client(
        source: (any AccessTokenSource)? = nil,
        apiKey: String? = nil,
        transport: any Transport,
        retries: Int = 3
    ) throws -> APIClient {
        APIClient(
            baseURL: try BaseURL("https://api.example.com/v1"),
            authenticatedBy: source,
            apiKey: try apiKey.map { try APIKey($0) },
            transport: transport,
            retries: retries
        )
    }

    /// Returns a transport that accepts one token and responds with 401 to any other.
    private static func transport(taking token: String) -> ScriptedTransport {
        ScriptedTransport { request in
            request.head.headerFields[.authorization] == "Bearer \(token)"
                ? .json(#"{"name":"Ada"}"#) : .json("{}", status: 401)
        }
    }

    private static func authorizations(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.head.headerFields[.authorization] }
    }

    @Test func `the access token is sent, and the response is decoded`() async throws {
        let transport = Self.transport(taking: "t1")
        let client = try Self.client(source: TokenSourceDouble(current: "t1"), transport: transport)
        let person: Person = try await client.send(.get("/me"))
        #expect(person == Person(name: "Ada"))
        #expect(Self.authorizations(transport) == ["Bearer t1"])
        #expect(transport.requests.first?.head.path == "/v1/me")
        #expect(transport.requests.first?.head.headerFields[.accept] == "application/json")
    }

    @Test func `the API key is sent, with and without a token`() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let client = try Self.client(source: TokenSourceDouble(current: "t1"), apiKey: "k1", transport: transport)
        _ = try await client.send(.raw(.get, "/a"))
        _ = try await client.send(.raw(.get, "/b").anonymous)
        let name = try #require(HTTPField.Name("X-API-Key"))
        #expect(transport.requests.map { $0.head.headerFields[values: name] } == [["k1"], ["k1"]])
        #expect(Self.authorizations(transport) == ["Bearer t1", nil])
    }

    @Test func `a call without authentication requests no token`() async throws {
        let transport = ScriptedTransport { _ in .json("{}", status: 401) }
        let source = try TokenSourceDouble(current: nil)
        let error = await #expect(throws: APIError.self) {
            let _: Person = try await Self.client(source: source, transport: transport)
                .send(.get("/public").anonymous)
        }
        #expect(error?.code == .unauthorized)
        #expect(Self.authorizations(transport) == [nil])
        #expect(source.rejected.isEmpty)
    }

    @Test func `a request's own Authorization is kept, and a 401 causes no refresh`() async throws {
        let transport = ScriptedTransport { _ in .json("{}", status: 401) }
        let source = try TokenSourceDouble(current: "t1", afterRefresh: "t2")
        let error = await #expect(throws: APIError.self) {
            let _: Person = try await Self.client(source: source, transport: transport).send(
                .get("/me").with { $0.headers = [.authorization: "Basic own"] }
            )
        }
        #expect(error?.code == .unauthorized)
        #expect(Self.authorizations(transport) == ["Basic own"])
        #expect(source.refreshes == 0)
    }

    @Test func `a 401 causes one retry with a new token`() async throws {
        let transport = Self.transport(taking: "t2")
        let source = try TokenSourceDouble(current: "t1", afterRefresh: "t2")
        let person: Person = try await Self.client(source: source, transport: transport)
            .send(.post("/me", body: .json(Person(name: "Ada"))))
        #expect(person.name == "Ada")
        #expect(Self.authorizations(transport) == ["Bearer t1", "Bearer t2"])
        #expect(source.rejected == ["t1"])
        let bodies = transport.requests.map(\.body)
        #expect(bodies.first == bodies.last)
        #expect(transport.requests.map(\.head.method) == [.post, .post])
    }

    @Test func `a second 401 is unauthorized after exactly two requests`() async throws {
        let transport = Self.transport(taking: "never")
        let source = try TokenSourceDouble(current: "t1", afterRefresh: "t2")
        let error = await #expect(throws: APIError.self) {
            let _: Person = try await Self.client(source: source, transport: transport).send(.get("/me"))
        }
        #expect(error?.code == .unauthorized)
        #expect(error?.status == 401)
        #expect(Self.authorizations(transport) == ["Bearer t1", "Bearer t2"])
        #expect(source.refreshes == 1)
    }

    @Test func `a late 401 rejects the token that was sent, not the newer one`() async throws {
        let source = try TokenSourceDouble(current: "t1", afterRefresh: "t3")
        let newer = try AccessToken("t2")
        let transport = ScriptedTransport { request in
            guard request.head.headerFields[.authorization] == "Bearer t1" else { return .json(#"{"name":"Ada"}"#) }
            // Another request's 401 has brought a new token in the meantime.
            source.rotate(to: newer)
            return .json("{}", status: 401)
        }
        let _: Person = try await Self.client(source: source, transport: transport).send(.get("/me"))
        #expect(source.rejected == ["t1"])
        #expect(source.refreshes == 0)
        #expect(Self.authorizations(transport) == ["Bearer t1", "Bearer t2"])
    }

    @Test func `the source's error is rethrown and nothing is sent if there is no token`() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let client = try Self.client(source: TokenSourceDouble(current: nil), transport: transport)
        await #expect(throws: TokenSourceDouble.Refused.self) { let _: Person = try await client.send(.get("/me")) }
        #expect(transport.requests.isEmpty)
    }

    @Test func `the error of a refused refresh is rethrown, and nothing is sent again`() async throws {
        let transport = Self.transport(taking: "never")
        let client = try Self.client(source: TokenSourceDouble(current: "t1"), transport: transport)
        await #expect(throws: TokenSourceDouble.Refused.self) { let _: Person = try await client.send(.get("/me")) }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [403, 400, 404, 429, 500, 503])
    func `a status other than 401 causes no refresh`(status: Int) async throws {
        let transport = ScriptedTransport { _ in .json("{}", status: status) }
        let source = try TokenSourceDouble(current: "t1", afterRefresh: "t2")
        let client = try Self.client(source: source, transport: transport, retries: 0)
        await #expect(throws: APIError.self) { let _: Person = try await client.send(.get("/me")) }
        #expect(source.refreshes == 0)
        #expect(transport.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled call ends with CancellationError`() async throws {
        let (sent, send) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport { _ in
            send.yield()
            // Ends only when the task is cancelled.
            let held = AsyncStream.makeStream(of: Never.self)
            for await _ in held.stream {}
            held.continuation.finish()
            try Task.checkCancellation()
            return .json("{}")
        }
        let client = try Self.client(source: TokenSourceDouble(current: "t1"), transport: transport)
        let call = Task { try await client.send(.raw(.get, "/me")) }
        for await _ in sent { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.requests.count == 1)
    }

    @Test func `an unreachable error has the transport's error as its underlying error`() async throws {
        let transport = ScriptedTransport { _ in throw TransportError(.timedOut, mayHaveReachedServer: true) }
        let client = try Self.client(source: TokenSourceDouble(current: "t1"), transport: transport, retries: 0)
        let error = await #expect(throws: APIError.self) { let _: Person = try await client.send(.get("/me")) }
        #expect(error?.code == .unreachable)
        #expect(error?.status == nil)
        let fault = try #require(error?.underlying as? TransportError)
        #expect(fault.code == .timedOut)
        #expect(fault.mayHaveReachedServer)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [200, 404, 503]) func `a raw call returns a response of any status`(status: Int) async throws {
        let transport = ScriptedTransport { _ in .json("body", status: status) }
        let answer = try await Self.client(transport: transport).send(.raw(.delete, "/me"))
        #expect(answer.head.status.code == status)
        #expect(answer.body == Array("body".utf8))
    }
}
