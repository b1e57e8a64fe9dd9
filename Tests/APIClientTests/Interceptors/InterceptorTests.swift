// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

@Suite struct InterceptorTests {
    private typealias Person = CallFixture.Person

    /// An interceptor that records requests and statuses, and changes requests as a test says.
    private final class Watcher: Interceptor {
        private let state = Mutex<(requests: [HTTPRequest], statuses: [Int])>(([], []))
        private let change: @Sendable (inout HTTPRequest) -> Void

        init(_ change: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }) {
            self.change = change
        }

        var requests: [HTTPRequest] { state.withLock { $0.requests } }
        var statuses: [Int] { state.withLock { $0.statuses } }

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            baseURL: BaseURL,
            operationID: String?,
            next: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
        ) async throws -> (HTTPResponse, ResponseBody) {
            state.withLock { $0.requests.append(request) }
            var request = request
            change(&request)
            if let operationID, let field = HTTPField.Name("X-Operation") { request.headerFields[field] = operationID }
            let answer = try await next(request, body)
            state.withLock { $0.statuses.append(answer.0.status.code) }
            return answer
        }
    }

    /// An interceptor that responds by itself.
    private struct Canned: Interceptor {
        let status: Int
        let text: String

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            baseURL: BaseURL,
            operationID: String?,
            next: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
        ) async throws -> (HTTPResponse, ResponseBody) {
            (HTTPResponse(status: .init(code: status)), ResponseBody(Array(text.utf8)))
        }
    }

    @Test func `an interceptor sees each call once and no credential`() async throws {
        let watcher = Watcher()
        let responses = ResponseSequence([CallFixture.unauthorized(), CallFixture.refusal(503), CallFixture.ada])
        let fixture = try CallFixture(apiKey: "k1", configure: { $0.interceptors = [watcher] }) { _ in
            try responses.next()
        }
        #expect(try await fixture.get() == Person())
        #expect(fixture.transport.requests.count == 3)
        #expect(watcher.requests.map { $0.headerFields.map(\.name.canonicalName) } == [["accept"]])
        #expect(watcher.statuses == [200])
    }

    @Test func `a field that an interceptor adds is sent with every attempt`() async throws {
        let field = try #require(HTTPField.Name("Idempotency-Key"))
        let watcher = Watcher { $0.headerFields[field] = "1" }
        let fixture = try CallFixture(configure: { $0.interceptors = [watcher] }) { _ in CallFixture.refusal(503) }
        _ = try await fixture.client.send(.raw(.post, "/me"))
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == ["1", "1", "1", "1"])
        #expect(watcher.statuses == [503])
    }

    @Test func `interceptors are called in order and get the operation's ID`() async throws {
        let first = Watcher { $0.path = "\($0.path ?? "")/1" }
        let second = Watcher { $0.path = "\($0.path ?? "")/2" }
        let fixture = try CallFixture(configure: { $0.interceptors = [first, second] }) { _ in CallFixture.ada }
        _ = try await fixture.get(EndpointOptions(operationID: "getMe"))
        #expect(fixture.sent == ["GET https://api.example.com/me/1/2"])
        #expect(second.requests.map(\.path) == ["/me/1"])
        let field = try #require(HTTPField.Name("X-Operation"))
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == ["getMe"])
    }

    @Test func `case 20: an interceptor can't send a token to another origin`() async throws {
        let watcher = Watcher { $0.authority = "evil.example.net" }
        let fixture = try CallFixture(configure: { $0.interceptors = [watcher] }) { _ in CallFixture.ada }
        #expect(await fixture.failure()?.code == .originNotAllowed)
        let nowhere = Watcher { $0.path = "/a b" }
        let other = try CallFixture(configure: { $0.interceptors = [nowhere] }) { _ in CallFixture.ada }
        #expect(await other.failure()?.code == .invalidEndpoint)
        #expect(fixture.transport.requests.isEmpty && other.transport.requests.isEmpty)
    }

    @Test func `case 23: an Authorization that an interceptor adds is kept`() async throws {
        let watcher = Watcher { $0.headerFields[.authorization] = "Signature x" }
        let fixture = try CallFixture(configure: { $0.interceptors = [watcher] }) { _ in CallFixture.unauthorized() }
        #expect(await fixture.failure()?.code == .unauthorized)
        #expect(fixture.authorizations == ["Signature x"])
        #expect(fixture.source?.rejected == [])
    }

    @Test func `an interceptor may return a response by itself`() async throws {
        let good = try CallFixture(configure: { $0.interceptors = [Canned(status: 200, text: #"{"name":"Eve"}"#)] }) {
            _ in CallFixture.ada
        }
        #expect(try await good.get() == Person(name: "Eve"))
        let text = try await good.client.download(.download("/file")) { _, body in
            try await body.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
        }
        #expect(text == #"{"name":"Eve"}"#)
        let bad = try CallFixture(configure: { $0.interceptors = [Canned(status: 404, text: "")] }) { _ in
            CallFixture.ada
        }
        #expect(await bad.failure()?.status == 404)
        #expect(good.transport.requests.isEmpty && bad.transport.requests.isEmpty)
    }
}
