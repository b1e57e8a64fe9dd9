// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import HTTPTypes
import TestSupport
import Testing

/// Responses that are compressed although nobody asked for it.
@Suite(.timeLimit(.minutes(3)))
struct CompressionTests {
    private static func send(to server: ScriptedServer, atMost size: Int = 1_000) async throws -> TransportResponse {
        let head = HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/")
        let request = TransportRequest(head: head, timeout: .seconds(60), maximumResponseSize: size)
        return try await CurlTransport().send(request)
    }

    /// The text `secret`, by `gzip`.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 78, 77, 46, 74, 45, 1, 0, 229, 232, 162, 92, 6, 0, 0, 0,
    ]

    @Test func `a compressed response that nobody asked for is decompressed`() async throws {
        let server = try ScriptedServer { try $0.respond(200, ["Content-Encoding: gzip"], body: Self.gzip) }
        let answer = try await Self.send(to: server)
        #expect(answer.body == Array("secret".utf8))
        // They speak of the body as it was sent.
        #expect(answer.head.headerFields[.contentEncoding] == nil)
        #expect(answer.head.headerFields[.contentLength] == nil)
        #expect(server.requests.map { $0.values("Accept-Encoding") } == [[]])
    }

    @Test func `a body under a false encoding is taken as it is, once the server is known for that`() async throws {
        let server = try ScriptedServer {
            try $0.respond(200, ["Content-Encoding: utf-8"], body: Array("secret".utf8))
        }
        await #expect(throws: TransportError(.failed, mayHaveReachedServer: true)) { try await Self.send(to: server) }
        #expect(try await Self.send(to: server).body == Array("secret".utf8))
    }

    @Test func `the limit is of the decompressed body`() async throws {
        let server = try ScriptedServer { try $0.respond(200, ["Content-Encoding: gzip"], body: Self.gzip) }
        #expect(try await Self.send(to: server, atMost: 26).body.count == 6)
        await #expect(throws: TransportError(.responseTooLarge, mayHaveReachedServer: true)) {
            try await Self.send(to: server, atMost: 5)
        }
    }

    @Test func `10 GB in 10 MB are refused, in little memory`() async throws {
        // 4 MiB of zeros by deflate, which may follow itself.
        let zeros: [UInt8] =
            [236, 193, 1, 1, 0, 0, 0, 130, 32, 255, 175, 110, 72, 64, 1] + Array(repeating: 0, count: 4_063)
            + [124, 27, 0, 0, 0, 255, 255]
        let server = try ScriptedServer { exchange in
            try exchange.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10457618\r\n\r\n")
            try exchange.write(Array(Self.gzip.prefix(10)))
            for _ in 0..<2_560 { try exchange.write(zeros) }
        }
        let before = try ResidentMemory.peak()
        await #expect(throws: TransportError(.responseTooLarge, mayHaveReachedServer: true)) {
            try await Self.send(to: server, atMost: 16 * 1_024 * 1_024)
        }
        #expect(try ResidentMemory.peak() - before < 150 * 1_024 * 1_024)
    }
}
#endif
