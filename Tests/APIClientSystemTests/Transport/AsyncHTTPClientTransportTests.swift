// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import HTTPTypes
import TestSupport
import Testing

@testable import APIClientTests

/// The behavior of this transport beyond the conformance suite of all transports.
@Suite(.timeLimit(.minutes(3)))
struct AsyncHTTPClientTransportTests {
    private static func request(
        _ authority: String,
        _ path: String = "/",
        body: RequestBody = .none
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: body.isNone ? .get : .post, scheme: "http", authority: authority, path: path),
            body: body,
            timeout: .seconds(60)
        )
    }

    @Test func `consecutive requests share a connection`() async throws {
        let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
        let transport = AsyncHTTPClientTransport()
        let chunks = [[UInt8]](repeating: [1, 2, 3], count: 1_000)
        let bodies: [RequestBody] = [
            RequestBody.none, .bytes([1]), .restartable(length: 3_000) { BodyChunks(chunks) },
            .restartable { BodyChunks(chunks) }, .bytes([2]).reportingProgress { _, _ in },
        ]
        for body in bodies + bodies + bodies {
            _ = try await transport.send(Self.request(server.authority, body: body))
        }
        #expect(server.requests.count == 15)
        #expect(server.connectionCount == 1)
    }

    @Test func `requests without a response do not block another request`() async throws {
        let server = try ScriptedServer { exchange in
            if exchange.request.target == "/now" { return try exchange.respond() }
            try exchange.waitForEnd()
        }
        let transport = AsyncHTTPClientTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await transport.send(Self.request(server.authority, "/never")) } }
            for await _ in server.arrivals.prefix(20) {}
            let answer = try await transport.send(Self.request(server.authority, "/now"))
            #expect(answer.head.status == .ok)
            group.cancelAll()
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `an API client's credential does not follow a redirect`(status: Int) async throws {
        let other = try ScriptedServer { try $0.respond(body: Array("{}".utf8)) }
        let server = try ScriptedServer { [authority = other.authority] exchange in
            try exchange.respond(status, ["Location: http://\(authority)/stolen"])
        }
        let client = APIClient(
            baseURL: try BaseURL("http://\(server.authority)"),
            authenticatedBy: try TokenSourceDouble(current: "t1"),
            apiKey: try APIKey("k1"),
            transport: AsyncHTTPClientTransport()
        )
        let error = await #expect(throws: APIError.self) {
            let _: [String: String] = try await client.send(.get("/me"))
        }
        #expect(error?.code == .redirected)
        #expect(other.connectionCount == 0)
        #expect(server.requests.map { $0.values("Authorization") } == [["Bearer t1"]])
        #expect(server.requests.map { $0.values("X-API-Key") } == [["k1"]])
    }

    @Test func `a compressed response is not decompressed`() async throws {
        let bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let server = try ScriptedServer { try $0.respond(200, ["Content-Encoding: gzip"], body: bytes) }
        let answer = try await AsyncHTTPClientTransport().send(Self.request(server.authority))
        #expect(answer.body == bytes)
        #expect(server.requests.map { $0.values("Accept-Encoding") } == [[]])
    }

    @Test func `an error does not contain the refused header value`() async throws {
        var request = Self.request("127.0.0.1:9")
        let field = HTTPField(name: .authorization, lenientValue: Array("Bearer secret-1\u{1}".utf8))
        request.head.headerFields.append(field)
        let error = await #expect(throws: TransportError.self) { try await AsyncHTTPClientTransport().send(request) }
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("secret-"))
        #expect(error?.code == .invalidRequest)
    }

    @Test func `the stream of a body is terminated if the server responds early`() async throws {
        let server = try ScriptedServer { exchange in
            try exchange.write("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
            try exchange.waitForEnd()
        }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let body = RequestBody.restartable(length: 10) {
            AsyncStream<[UInt8]> { chunks in
                chunks.yield([1])
                chunks.onTermination = { _ in end.yield() }
            }
        }
        let answer = try await AsyncHTTPClientTransport().send(Self.request(server.authority, body: body))
        #expect(answer.head.status == .unauthorized)
        for await _ in ended { break }
    }

    @Test func `a released transport does not end its running request`() async throws {
        let server = try ScriptedServer { try $0.respond(body: [1]) }
        for _ in 0..<20 {
            let answer = try await AsyncHTTPClientTransport().send(Self.request(server.authority))
            #expect(answer.body == [1])
        }
    }
}
#endif
