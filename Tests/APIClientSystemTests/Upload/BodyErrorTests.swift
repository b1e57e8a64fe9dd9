// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A body whose source fails with an error about another request.
@Suite(.timeLimit(.minutes(3)))
struct BodyErrorTests {
    /// The guard is evaluated once the connection is open.
    ///
    /// At most the head is sent, and no byte of the body.
    @Test func `a body is not sent if its guard returns false`() async throws {
        let arrived = Mutex<[[UInt8]]>([])
        let server = try ScriptedServer { exchange in
            let body = try exchange.body()
            arrived.withLock { $0.append(body) }
            try exchange.respond()
        }
        let asked = Mutex(0)
        // In time when the body is opened, too late when it is to be sent.
        let body = RequestBody.bytes([1, 2, 3]).guarded {
            asked.withLock {
                $0 += 1
                return $0 == 1
            }
        }
        let head = HTTPRequest(method: .post, scheme: "http", authority: server.authority, path: "/")
        let transport = AsyncHTTPClientTransport()
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(head: head, body: body))
        }
        #expect(error?.code == .bodyFailed && error?.mayHaveReachedServer == false)
        #expect(asked.withLock { $0 } == 2)
        let inTime = RequestBody.bytes([4]).guarded { true }
        let answer = try await transport.send(TransportRequest(head: head, body: inTime))
        #expect(answer.head.status == .ok)
        #expect(arrived.withLock { $0 } == [[4]], "\(server.requests)")
    }

    @Test func `a body whose source throws a TransportError is not sent again`() async throws {
        let server = try ScriptedServer { exchange in
            _ = try exchange.body()
            try exchange.respond()
        }
        let body = RequestBody.restartable {
            AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield([1, 2, 3])
                // The error of a download that provides the body.
                continuation.finish(throwing: TransportError(.connectionRefused, mayHaveReachedServer: false))
            }
        }
        let client = APIClient(baseURL: try BaseURL("http://\(server.authority)"))
        let error = await #expect(throws: APIError.self) { try await client.send(.raw(.post, "/upload", body: body)) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.mayHaveReachedServer == true)
        #expect(server.requests.count <= 1)
    }
}
