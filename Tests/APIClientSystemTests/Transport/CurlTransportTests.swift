// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import AuthCore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import APIClient

/// The behavior of this transport beyond the conformance suite of all transports.
@Suite(.timeLimit(.minutes(3)))
struct CurlTransportTests {
    private static func request(_ authority: String, _ path: String = "/", body: [UInt8]? = nil) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: body == nil ? .get : .post, scheme: "http", authority: authority, path: path),
            body: body,
            timeout: .seconds(60)
        )
    }

    @Test func `consecutive requests share a connection`() async throws {
        let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        for body in [nil, [1], [], Array(repeating: 2, count: 100_000), nil] as [[UInt8]?] {
            for _ in 0..<3 { _ = try await transport.send(Self.request(server.authority, body: body)) }
        }
        #expect(server.requests.count == 15)
        #expect(server.connectionCount == 1)
    }

    @Test func `requests without a response do not block another request`() async throws {
        let server = try ScriptedServer { exchange in
            if exchange.request.target == "/now" { return try exchange.respond() }
            try exchange.waitForEnd()
        }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await transport.send(Self.request(server.authority, "/never")) } }
            for await _ in server.arrivals.prefix(20) {}
            let answer = try await transport.send(Self.request(server.authority, "/now"))
            #expect(answer.head.status == .ok)
            group.cancelAll()
        }
    }

    @Test func `a GET on a kept connection that ended is sent again`() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { exchange in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { return try exchange.hangUp() }
            try exchange.respond()
        }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        for _ in 0..<2 {
            #expect(try await transport.send(Self.request(server.authority)).head.status == .ok)
        }
        #expect(server.requests.count == 3)
    }

    @Test func `an error does not contain the refused header value`() async throws {
        var request = Self.request("127.0.0.1:9")
        let field = HTTPField(name: .authorization, lenientValue: Array("Bearer secret-1\u{1}".utf8))
        request.head.headerFields.append(field)
        let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(request) }
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("secret-"))
        #expect(error?.code == .invalidRequest)
    }

    @Test func `an error names neither the host nor the address`() async throws {
        let port = try ScriptedServer.closedPort()
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(Self.request("127.0.0.1:\(port)", "/secret-1"))
        }
        let shown = "\(String(describing: error)) \(String(describing: error?.underlying))"
        #expect(!shown.contains("secret-1") && !shown.contains("\(port)"))
        #expect(shown.contains("system error"))
    }

    @Test func `fields of every form arrive, and none is added`() async throws {
        let server = try ScriptedServer { try $0.respond(200, ["X-Folded: a", "\tb", "X-Empty:", "No Name: c"]) }
        var request = Self.request(server.authority, body: [1])
        let empty = try #require(HTTPField.Name("X-Empty"))
        request.head.headerFields[empty] = ""
        let answer = try await CurlTransport().send(request)
        let seen = try #require(server.requests.first)
        #expect(Set(seen.fields.map(\.name)) == ["Host", "X-Empty", "Content-Length"])
        #expect(seen.values("X-Empty") == [""])
        #expect(answer.head.headerFields[try #require(HTTPField.Name("X-Folded"))] == "a b")
        #expect(answer.head.headerFields[empty] == "")
        #expect(answer.head.headerFields.count == 3)
    }

    @Test func `a large body does not wait for permission to be sent`() async throws {
        let server = try ScriptedServer { try $0.respond(body: try $0.body()) }
        let body = [UInt8](repeating: 7, count: 3_000_000)
        let answer = try await CurlTransport().send(Self.request(server.authority, body: body))
        #expect(answer.body == body)
        #expect(server.requests.map { $0.values("Expect") } == [[]])
    }

    @Test func `a server that refuses an upload and closes while it is sent gives its response`() async throws {
        let server = try ScriptedServer { exchange in
            guard exchange.request.method == "POST" else { return try exchange.respond() }
            exchange.waitUntilClientIsBlocked()
            try exchange.write("HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 9\r\n\r\ntoo large")
            try exchange.hangUp()
        }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        let body = [UInt8](repeating: 7, count: 50_000_000)
        let answer = try await transport.send(Self.request(server.authority, body: body))
        #expect(answer.head.status == .contentTooLarge)
        #expect(answer.body == Array("too large".utf8))
        #expect(try await transport.send(Self.request(server.authority)).head.status == .ok)
    }

    @Test func `a released transport does not end its running request`() async throws {
        let server = try ScriptedServer { try $0.respond(body: [1]) }
        for _ in 0..<20 {
            let answer = try await CurlTransport().send(Self.request(server.authority))
            #expect(answer.body == [1])
        }
    }
}
#endif
