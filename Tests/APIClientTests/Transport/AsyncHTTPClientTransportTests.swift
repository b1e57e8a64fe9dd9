#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

/// The real transport against a real server.
@Suite(.timeLimit(.minutes(1)))
struct AsyncHTTPClientTransportTests {
    private static func request(
        _ authority: String,
        _ path: String = "/",
        timeout: Duration = .seconds(60),
        maximumResponseSize: Int = 1_024
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: path),
            timeout: timeout,
            maximumResponseSize: maximumResponseSize
        )
    }

    private static func fault(
        of request: TransportRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TransportError? {
        await #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
            try await AsyncHTTPClientTransport().send(request)
        }
    }

    @Test func `a request and its answer arrive whole`() async throws {
        let server = try await LocalServer.start { request in
            .respond(.created, headers: ["X-Answer": "a", "x-answer": "b"], body: request.body.reversed())
        }
        var request = Self.request(server.authority, "/v1/a%20b?q=%26")
        request.head.method = .post
        request.head.headerFields[.authorization] = "Bearer t1"
        request.body = .bytes([0, 1, 2, 255])
        let answer = try await AsyncHTTPClientTransport().send(request)
        #expect(answer.head.status == .created)
        #expect(answer.body == [255, 2, 1, 0])
        #expect(answer.head.headerFields[values: try #require(HTTPField.Name("X-Answer"))] == ["a", "b"])
        let seen = try #require(server.requests.first)
        #expect(seen.head.method == .POST)
        #expect(seen.head.uri == "/v1/a%20b?q=%26")
        #expect(seen.head.headers["Authorization"] == ["Bearer t1"])
        #expect(seen.head.headers["Host"] == [server.authority])
        #expect(seen.head.headers["Cookie"].isEmpty)
        #expect(seen.body == [0, 1, 2, 255])
    }

    private static let chunks: [[UInt8]] = [[0, 1], [], [2], Array(repeating: 7, count: 100_000)]

    @Test(arguments: [nil, 100_003]) func `a body in chunks arrives whole, with and without a known length`(
        length: Int?
    ) async throws {
        let server = try await LocalServer.start { _ in .respond(.ok) }
        let transport = AsyncHTTPClientTransport()
        let bodies: [RequestBody] = [
            .restartable(length: length) { RequestBodyChunks(Self.chunks) },
            .oneShot(length: length, RequestBodyChunks(Self.chunks)),
        ]
        for body in bodies {
            var request = Self.request(server.authority)
            request.head.method = .put
            request.body = body
            _ = try await transport.send(request)
        }
        #expect(server.requests.map(\.body) == Array(repeating: Self.chunks.flatMap(\.self), count: 2))
        let lengths = server.requests.map { $0.head.headers["Content-Length"] }
        #expect(lengths == Array(repeating: length.map { ["\($0)"] } ?? [], count: 2))
    }

    @Test(arguments: [204, 304, 400, 401, 404, 500])
    func `an answer of any status is an answer`(status: Int) async throws {
        let server = try await LocalServer.start { _ in .respond(.init(statusCode: status)) }
        let answer = try await AsyncHTTPClientTransport().send(Self.request(server.authority))
        #expect(answer.head.status.code == status)
        #expect(server.requests.count == 1)
    }

    @Test func `a cookie is not kept`() async throws {
        let server = try await LocalServer.start { _ in .respond(.ok, headers: ["Set-Cookie": "a=b"]) }
        let transport = AsyncHTTPClientTransport()
        _ = try await transport.send(Self.request(server.authority))
        _ = try await transport.send(Self.request(server.authority))
        #expect(server.requests.map { $0.head.headers["Cookie"] } == [[], []])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is not followed and no credential leaves`(status: Int) async throws {
        let other = try await LocalServer.start { _ in .respond(.ok, body: Array("{}".utf8)) }
        let location = "http://\(other.authority)/stolen"
        let server = try await LocalServer.start { _ in
            .respond(.init(statusCode: status), headers: ["Location": location])
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
        #expect(other.requests.isEmpty)
        let seen = try #require(server.requests.first)
        #expect(seen.head.headers["Authorization"] == ["Bearer t1"])
        #expect(seen.head.headers["X-API-Key"] == ["k1"])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a refused connection is told promptly, and that nothing was sent`(host: String) async throws {
        let port = try await LocalServer.closedPort()
        let start = ContinuousClock.now
        let fault = await Self.fault(of: Self.request("\(host):\(port)"))
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(fault?.code == .connectionRefused)
        #expect(fault?.mayHaveReachedServer == false)
    }

    @Test func `a server that does not answer is timed out, and may have the request`() async throws {
        let server = try await LocalServer.start { _ in .silence }
        let start = ContinuousClock.now
        let fault = await Self.fault(of: Self.request(server.authority, timeout: .milliseconds(300)))
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(fault?.code == .timedOut)
        #expect(fault?.mayHaveReachedServer == true)
        #expect(server.requests.count == 1)
    }

    @Test func `the timeout is for the whole answer`() async throws {
        let server = try await LocalServer.start { _ in .stall(promised: 100, sent: 10) }
        let fault = await Self.fault(of: Self.request(server.authority, timeout: .milliseconds(300)))
        #expect(fault?.code == .timedOut)
        #expect(fault?.mayHaveReachedServer == true)
    }

    @Test func `a timeout of any length is no fault`() async throws {
        let server = try await LocalServer.start { _ in .respond(.ok) }
        let answer = try await AsyncHTTPClientTransport()
            .send(Self.request(server.authority, timeout: .seconds(Int64.max)))
        #expect(answer.head.status == .ok)
    }

    @Test func `a connection that ends in mid-answer is closed, never half an answer`() async throws {
        let server = try await LocalServer.start { _ in .breakOff(promised: 100, sent: 10) }
        let fault = await Self.fault(of: Self.request(server.authority))
        #expect(fault?.code == .connectionClosed)
        #expect(fault?.mayHaveReachedServer == true)
        #expect(server.requests.count == 1)
    }

    @Test func `a connection that ends without an answer is closed, and nothing is sent again`() async throws {
        let server = try await LocalServer.start { _ in .hangUp }
        let fault = await Self.fault(of: Self.request(server.authority))
        #expect(fault?.code == .connectionClosed)
        #expect(fault?.mayHaveReachedServer == true)
        #expect(server.requests.count == 1)
    }

    @Test func `an answer of the greatest size is taken, one byte more is not`() async throws {
        let server = try await LocalServer.start { request in
            .respond(.ok, body: Array(repeating: 7, count: request.head.uri == "/more" ? 1_025 : 1_024))
        }
        let answer = try await AsyncHTTPClientTransport().send(Self.request(server.authority))
        #expect(answer.body.count == 1_024)
        let fault = await Self.fault(of: Self.request(server.authority, "/more"))
        #expect(fault?.code == .responseTooLarge)
        #expect(fault?.mayHaveReachedServer == true)
    }

    @Test func `an answer without end is cut off`() async throws {
        let server = try await LocalServer.start { _ in .endless }
        let fault = await Self.fault(of: Self.request(server.authority, maximumResponseSize: 100_000))
        #expect(fault?.code == .responseTooLarge)
    }

    @Test(arguments: [false, true])
    func `cancellation ends a request at once`(inBody: Bool) async throws {
        let server = try await LocalServer.start { _ in inBody ? .stall(promised: 100, sent: 10) : .silence }
        let request = Self.request(server.authority)
        let call = Task { try await AsyncHTTPClientTransport().send(request) }
        for await _ in server.arrivals { break }
        let start = ContinuousClock.now
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func `a cancelled task sends nothing`() async throws {
        let server = try await LocalServer.start { _ in .respond(.ok) }
        let request = Self.request(server.authority)
        let (gate, open) = AsyncStream.makeStream(of: Never.self)
        let call = Task {
            // Ends when the task is cancelled, and not before.
            for await _ in gate {}
            return try await AsyncHTTPClientTransport().send(request)
        }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(server.requests.isEmpty)
        open.finish()
    }
}
#endif
