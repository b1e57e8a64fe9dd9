// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ScriptedTransportTests {
    private static func request(_ path: String, _ method: HTTPRequest.Method = .get) -> TransportRequest {
        TransportRequest(head: HTTPRequest(method: method, scheme: "https", authority: "api.example", path: path))
    }

    @Test func `every request is recorded in order, whether it succeeds or throws`() async throws {
        let transport = ScriptedTransport { request in
            guard request.head.method == .get else {
                throw TransportError(.connectionClosed, mayHaveReachedServer: true)
            }
            return .json(#"{"path":"\#(request.head.path ?? "")"}"#)
        }
        #expect(try await transport.send(Self.request("/a")).body == Array(#"{"path":"/a"}"#.utf8))
        let fault = await #expect(throws: TransportError.self) { try await transport.send(Self.request("/b", .post)) }
        #expect(fault?.code == .connectionClosed && fault?.mayHaveReachedServer == true)
        #expect(try await transport.send(Self.request("/c")).body == Array(#"{"path":"/c"}"#.utf8))
        #expect(transport.requests.map(\.head.path) == ["/a", "/b", "/c"])
        #expect(transport.requests.map(\.head.method) == [.get, .post, .get])
    }

    @Test func `requests are counted by their complete path, regardless of the query`() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        for path in ["/me", "/me?page=2", "/me/jobs", "/m", "/jobs?of=/me"] {
            _ = try await transport.send(Self.request(path))
        }
        #expect(transport.count(of: "/me") == 2)
        #expect(transport.count(of: "/jobs") == 1)
        #expect(transport.count(of: "/you") == 0)
    }

    @Test func `a delayed response delays only its own request`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { request in
            if request.head.path == "/slow" { try await clock.sleep(for: .seconds(60)) }
            return .json("{}")
        }
        let slow = Task { try await transport.send(Self.request("/slow")).head.status }
        await clock.sleepers()
        #expect(try await transport.send(Self.request("/quick")).head.status == .ok)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(60))
        #expect(try await slow.value == .ok)
        #expect(transport.requests.count == 2)
    }

    @Test func `a JSON response has its status, its fields and its content type`() {
        let response = TransportResponse.json("[1]", status: 429, headers: [.retryAfter: "7"])
        #expect(response.head.status.code == 429)
        #expect(response.head.headerFields[.retryAfter] == "7")
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(response.body == Array("[1]".utf8))
    }
}
