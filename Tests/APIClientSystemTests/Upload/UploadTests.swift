// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import APIClientTests

/// Uploads over real sockets: the number of times that a body is sent, and that it is complete each time.
@Suite(.timeLimit(.minutes(3)))
struct UploadTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    private static let parts = [Array(content[..<100_000]), Array(content[100_000...])]

    /// Returns a client that is signed in with `t1`, refreshes to `t2`, and retries without pauses.
    private static func client(_ server: ScriptedServer, interceptors: [any Interceptor] = []) throws -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.random = { 0 }
        configuration.interceptors = interceptors
        return APIClient(
            baseURL: try BaseURL("http://\(server.authority)"),
            authenticatedBy: try TokenSourceDouble(current: "t1", afterRefresh: "t2"),
            transport: AsyncHTTPClientTransport(),
            configuration: configuration
        )
    }

    private static func put(_ body: RequestBody, _ path: String = "/file") -> Endpoint<Void> {
        .put(path, body: body)
    }

    /// The received bodies, in their order.
    private final class Bodies: Sendable {
        private let state = Mutex<[[UInt8]]>([])
        var all: [[UInt8]] { state.withLock { $0 } }
        /// Appends a body and returns the number of bodies.
        func add(_ body: [UInt8]) -> Int {
            state.withLock { bodies in
                bodies.append(body)
                return bodies.count
            }
        }
    }

    /// The first response, which makes the client send again.
    enum FirstResponse: CaseIterable {
        case unauthorized
        case unavailable
        case redirect
        case hangUp

        func give(_ exchange: ServerExchange) throws {
            switch self {
            case .unauthorized: try exchange.respond(401, ["WWW-Authenticate: Bearer"])
            case .unavailable: try exchange.respond(503)
            case .redirect: try exchange.respond(307, ["Location: /there"])
            case .hangUp: try exchange.hangUp()
            }
        }
    }

    private static func server(_ first: FirstResponse, _ bodies: Bodies) throws -> ScriptedServer {
        try ScriptedServer { exchange in
            guard bodies.add(try exchange.body()) > 1 else { return try first.give(exchange) }
            try exchange.respond()
        }
    }

    @Test(arguments: FirstResponse.allCases)
    func `a replayable body is sent again, complete and from its beginning`(first: FirstResponse) async throws {
        let file = try TemporaryFile(Self.content)
        let bodies: [RequestBody] = [
            .bytes(Self.content), .file(file.path),
            .restartable(length: Self.content.count) { BodyChunks(Self.parts) },
            .restartable { BodyChunks(Self.parts) },
        ]
        for body in bodies {
            let seen = Bodies()
            let server = try Self.server(first, seen)
            try await Self.client(server).send(Self.put(body))
            #expect(seen.all == [Self.content, Self.content])
        }
    }

    @Test(arguments: FirstResponse.allCases, [300_000, nil])
    func `a one-shot body is never sent twice`(first: FirstResponse, length: Int?) async throws {
        let seen = Bodies()
        let server = try Self.server(first, seen)
        let body = RequestBody.oneShot(length: length, BodyChunks(Self.parts))
        let error = await #expect(throws: APIError.self) { try await Self.client(server).send(Self.put(body)) }
        let expected: APIError.Code =
            switch first {
            case .unauthorized, .redirect: .bodyNotRepeatable
            case .unavailable: .serverFailed
            case .hangUp: .unreachable
            }
        #expect(error?.code == expected)
        #expect(error?.mayHaveReachedServer == true)
        #expect(seen.all == [Self.content])
        #expect(server.requests.count == 1)
    }

    @Test func `a one-shot body is not sent again by a second call`() async throws {
        let seen = Bodies()
        let server = try ScriptedServer { exchange in
            _ = seen.add(try exchange.body())
            try exchange.respond()
        }
        let client = try Self.client(server)
        let body = RequestBody.oneShot(BodyChunks(Self.parts))
        try await client.send(Self.put(body))
        let error = await #expect(throws: APIError.self) { try await client.send(Self.put(body)) }
        #expect(error?.code == .bodyNotRepeatable)
        #expect(error?.mayHaveReachedServer == false)
        #expect(seen.all == [Self.content])
        #expect(server.requests.count == 1)
    }

    @Test func `a one-shot body is not sent again by an interceptor`() async throws {
        struct RepeatingInterceptor: Interceptor {
            func intercept(
                _ request: HTTPRequest,
                body: RequestBody,
                baseURL: BaseURL,
                operationID: String?,
                next: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
            ) async throws -> (HTTPResponse, ResponseBody) {
                _ = try await next(request, body)
                return try await next(request, body)
            }
        }
        let server = try ScriptedServer { try $0.respond() }
        let client = try Self.client(server, interceptors: [RepeatingInterceptor()])
        let body = RequestBody.oneShot(BodyChunks(Self.parts))
        let error = await #expect(throws: APIError.self) { try await client.send(Self.put(body)) }
        #expect(error?.code == .bodyNotRepeatable)
        #expect(server.requests.count == 1)
    }

    @Test func `an upload reports its progress, which restarts with a retry`() async throws {
        let file = try TemporaryFile(Self.content)
        let server = try Self.server(.unauthorized, Bodies())
        let reported = Mutex<[Int]>([])
        let body = RequestBody.file(file.path)
            .reportingProgress { sent, total in
                reported.withLock { $0.append(total == Self.content.count ? sent : -1) }
            }
        try await Self.client(server).send(Self.put(body))
        let reports = reported.withLock { $0 }
        // Two series of reports start with the first part, each with increasing numbers.
        let starts = reports.indices.filter { $0 == 0 || reports[$0] <= reports[$0 - 1] }
        #expect(starts.count == 2)
        #expect(reports.allSatisfy { $0 > 0 && $0 <= Self.content.count })
        #expect(reports.count > 4)
    }

    @Test func `a missing file is not a network error, and nothing is sent`() async throws {
        let server = try ScriptedServer { try $0.respond() }
        let error = await #expect(throws: APIError.self) {
            try await Self.client(server).send(Self.put(.file("/no/such/file")))
        }
        #expect(error?.code == .bodyFailed)
        #expect(error?.isRetryable == false)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `an upload ends early if the server refuses it early`() async throws {
        let server = try ScriptedServer { exchange in
            try exchange.write("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n")
            // The server reads on, because closing a connection with unread bytes may discard the response.
            try exchange.waitForEnd()
        }
        let body = RequestBody.oneShot(
            AsyncStream<[UInt8]> { chunks in chunks.yield([1]) }
        )
        let error = await #expect(throws: APIError.self) { try await Self.client(server).send(Self.put(body)) }
        #expect(error?.status == 413)
    }
}
#endif
