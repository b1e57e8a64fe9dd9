#if LoopbackRedirect && AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import AuthTesting
import Foundation
import FoundationNetworking
import HTTPTypes
import Synchronization
import Testing

@testable import OpenIDConnect

/// The real listener on a real port, called as a browser would, and as strangers would.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackListenerTests {
    private struct Visit: Sendable {
        var method: HTTPRequest.Method = .get
        var path = "/callback"
        var query = ""
        var host: String?
    }

    private static func visit(_ visit: Visit, _ listener: LoopbackListener) async throws -> TransportResponse {
        let authority = try #require(listener.redirectURI.split(separator: "/").dropFirst().first)
        let head = HTTPRequest(
            method: visit.method,
            scheme: "http",
            authority: String(authority),
            path: visit.path + (visit.query.isEmpty ? "" : "?" + visit.query)
        )
        if let host = visit.host { return try await self.visit(head, as: host) }
        let request = TransportRequest(head: head, body: visit.method == .post ? .bytes([1]) : .none)
        return try await AsyncHTTPClientTransport().send(request)
    }

    /// As a browser that takes another name for this machine: no transport of ours sends a host but the address's own.
    private static func visit(_ head: HTTPRequest, as host: String) async throws -> TransportResponse {
        let url = try #require(URL(string: "http://\(head.authority ?? "")\(head.path ?? "")"))
        var request = URLRequest(url: url)
        request.setValue(host, forHTTPHeaderField: "Host")
        let (_, response) = try await URLSession(configuration: .ephemeral).data(for: request)
        let status = try #require(response as? HTTPURLResponse).statusCode
        return TransportResponse(head: HTTPResponse(status: .init(code: status)))
    }

    /// Makes the visits in order, then the right callback, which must still be awaited.
    private static func answers(to visits: [Visit]) async throws -> [TransportResponse] {
        let listener = try await LoopbackListener.start()
        let request = try await Provider.request(redirectURI: listener.redirectURI)
        let answers = Mutex<[TransportResponse]>([])
        let response = try await listener.response(to: request) { _ in
            for visit in visits + [Visit(query: "code=right&state=\(request.state.unredacted)")] {
                var visit = visit
                visit.query = visit.query.replacing("STATE", with: request.state.unredacted)
                let answer = try await Self.visit(visit, listener)
                answers.withLock { $0.append(answer) }
            }
        }
        #expect(response.code == "right")
        let all = answers.withLock { $0 }
        #expect(all.last?.head.status == .ok)
        return all
    }

    @Test func `the right callback is taken`() async throws {
        let answer = try #require(try await Self.answers(to: []).first)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Signed in"))
    }

    @Test func `the page says nothing of the answer and is neither kept nor framed nor scripted`() async throws {
        let answer = try #require(try await Self.answers(to: []).first)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("right"))
        #expect(answer.head.headerFields[.cacheControl] == "no-store")
        let policy = try #require(answer.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
    }

    @Test func `the redirect URI is a loopback address and not a name`() async throws {
        let listener = try await LoopbackListener.start()
        #expect(listener.redirectURI.hasPrefix("http://127.0.0.1:"))
        #expect(listener.redirectURI.hasSuffix("/callback"))
    }

    @Test func `two listeners have two ports`() async throws {
        let one = try await LoopbackListener.start()
        let other = try await LoopbackListener.start()
        #expect(one.redirectURI != other.redirectURI)
    }

    @Test func `the browser is sent to the request's address`() async throws {
        let listener = try await LoopbackListener.start()
        let request = try await Provider.request(redirectURI: listener.redirectURI)
        let opened = Mutex<[String]>([])
        _ = try await listener.response(to: request) { url in
            opened.withLock { $0.append(url) }
            _ = try await Self.visit(Visit(query: "code=c&state=\(request.state.unredacted)"), listener)
        }
        #expect(opened.withLock { $0 } == [request.url])
    }

    /// Any page that the person has open can send the browser here: only the holder of the state ends the wait.
    @Test(arguments: [
        "code=wrong&state=other", "code=wrong", "", "error=access_denied", "error=access_denied&state=other", "a=1&a=1",
        "code=%", "code=1&code=2&state=other", "x=%FF",
    ])
    func `a callback without the state is refused and the wait goes on`(query: String) async throws {
        let answers = try await Self.answers(to: [Visit(query: query)])
        #expect(answers.first?.head.status == .badRequest)
    }

    @Test(arguments: ["/", "/favicon.ico", "/callback/", "/callback/x", "/Callback", "//callback", "/callbac%6B"])
    func `another path is not found and the wait goes on`(path: String) async throws {
        let answers = try await Self.answers(to: [Visit(path: path, query: "code=wrong&state=STATE")])
        #expect(answers.first?.head.status == .notFound)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .options, .head, .delete])
    func `another method is not allowed and the wait goes on`(method: HTTPRequest.Method) async throws {
        let answers = try await Self.answers(to: [Visit(method: method, query: "code=wrong&state=STATE")])
        #expect(answers.first?.head.status == .methodNotAllowed)
    }

    /// A name that an attacker points at 127.0.0.1 would make the page the attacker's own.
    @Test(arguments: ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", ""])
    func `another host is forbidden and the wait goes on`(host: String) async throws {
        let answers = try await Self.answers(to: [Visit(query: "code=wrong&state=STATE", host: host)])
        #expect(answers.first?.head.status == .forbidden)
    }

    @Test(
        arguments: [
            ("error=access_denied&state=STATE", .cancelled), ("error=server_error&state=STATE", .refused),
            ("state=STATE", .malformed), ("code=a&code=b&state=STATE", .malformed),
            ("code=c&state=STATE&iss=https%3A%2F%2Fevil.example", .issuerMismatch),
        ] as [(String, AuthorizationError.Code)]
    )
    func `a bad answer to this attempt ends the wait`(query: String, code: AuthorizationError.Code) async throws {
        let listener = try await LoopbackListener.start()
        let request = try await Provider.request(redirectURI: listener.redirectURI)
        let error = await #expect(throws: AuthorizationError.self) {
            try await listener.response(to: request) { _ in
                let query = query.replacing("STATE", with: request.state.unredacted)
                let answer = try await Self.visit(Visit(query: query), listener)
                #expect(String(decoding: answer.body, as: UTF8.self).contains("Not signed in"))
            }
        }
        #expect(error?.code == code)
    }

    @Test func `a second callback is refused`() async throws {
        let listener = try await LoopbackListener.start()
        let request = try await Provider.request(redirectURI: listener.redirectURI)
        let response = try await listener.response(to: request) { _ in
            _ = try await Self.visit(Visit(query: "code=first&state=\(request.state.unredacted)"), listener)
            let second = try await Self.visit(Visit(query: "code=second&state=\(request.state.unredacted)"), listener)
            #expect(second.head.status == .badRequest)
        }
        #expect(response.code == "first")
    }

    @Test func `a callback before the attempt is a stranger's`() async throws {
        let listener = try await LoopbackListener.start()
        let answer = try await Self.visit(Visit(query: "code=c&state=s"), listener)
        #expect(answer.head.status == .badRequest)
    }

    @Test func `cancellation ends the wait`() async throws {
        let listener = try await LoopbackListener.start()
        let request = try await Provider.request(redirectURI: listener.redirectURI)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { try await listener.response(to: request) { _ in open.yield() } }
        for await _ in opened { break }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `a browser that can't be opened ends the attempt`() async throws {
        struct NoBrowser: Error, Equatable {}
        let listener = try await LoopbackListener.start()
        let request = try await Provider.request(redirectURI: listener.redirectURI)
        await #expect(throws: NoBrowser.self) {
            try await listener.response(to: request) { _ in throw NoBrowser() }
        }
    }

    @Test func `a port that is taken is a failure of the listener`() async throws {
        let listener = try await LoopbackListener.start()
        let port = try #require(
            listener.redirectURI.split(whereSeparator: { ":/".contains($0) }).compactMap { Int($0) }.first
        )
        let error = await #expect(throws: AuthorizationError.self) { try await LoopbackListener.start(port: port) }
        #expect(error?.code == .listenerFailed)
    }
}
#endif
