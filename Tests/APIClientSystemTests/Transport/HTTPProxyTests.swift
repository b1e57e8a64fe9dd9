// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import HTTPTypes
import NIOHTTP1
import TestSupport
import Testing

@testable import APIClientTests

@Suite(.timeLimit(.minutes(3)))
struct HTTPProxyTests {
    private static let credentials = HTTPProxy.Credentials(username: "user", password: Password("secret-1"))

    /// Sends a request in plain text through the tunnel, so that a test's proxy can also act as the server.
    private static func send(through proxy: HTTPProxy) async throws -> TransportResponse {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "behind.example:8080", path: "/a?b=c")
        head.headerFields[.authorization] = "Bearer t1"
        return try await AsyncHTTPClientTransport(settings: TransportSettings(proxy: proxy))
            .send(TransportRequest(head: head, timeout: .seconds(60)))
    }

    @Test func `a request is tunneled, and its credential is sent only in the tunnel`() async throws {
        let server = try ScriptedServer { exchange in
            if exchange.request.method == "CONNECT" { return try exchange.write("HTTP/1.1 200 OK\r\n\r\n") }
            try exchange.respond(body: [7])
        }
        let proxy = HTTPProxy(host: "127.0.0.1", port: server.port, credentials: Self.credentials)
        #expect(try await Self.send(through: proxy).body == [7])
        #expect(server.requests.map(\.method) == ["CONNECT", "GET"])
        #expect(server.requests.map(\.target) == ["behind.example:8080", "/a?b=c"])
        #expect(server.requests.map { $0.values("Authorization") } == [[], ["Bearer t1"]])
        // The text "user:secret-1" in Base64.
        #expect(server.requests.map { $0.values("Proxy-Authorization") } == [["Basic dXNlcjpzZWNyZXQtMQ=="], []])
    }

    /// Returns settings that trust the test authority, whose server is reached through a tunnel to `localhost`.
    private static func settings(_ proxy: TunnelProxy) -> TransportSettings {
        TransportSettings(
            certificateAuthorities: .only(pem: Array(TestCertificates.authority.utf8)),
            proxy: HTTPProxy(host: "127.0.0.1", port: proxy.port, credentials: credentials)
        )
    }

    @Test func `a proxy sees only the host and the port of a TLS request`() async throws {
        let server = try await LocalServer.start(tls: try TestCertificates.serverConfiguration()) { request in
            .respond(.ok, body: request.body.reversed())
        }
        let proxy = try await TunnelProxy.start()
        let client = APIClient(
            baseURL: try BaseURL("https://localhost:\(server.port)"),
            authenticatedBy: try TokenSourceDouble(current: "secret-2"),
            apiKey: try APIKey("secret-3"),
            transport: try AsyncHTTPClientTransport(settings: Self.settings(proxy))
        )
        for _ in 0..<2 {
            let answer = try await client.send(.raw(.post, "/secret-5", body: .bytes(Array("4-terces".utf8))))
            #expect(answer.body == Array("secret-4".utf8))
        }
        #expect(server.requests.map { $0.head.headers["Authorization"] } == [["Bearer secret-2"], ["Bearer secret-2"]])
        #expect(server.requests.flatMap { $0.head.headers["Proxy-Authorization"] }.isEmpty)
        // Both requests share one tunnel, because the connection is kept.
        let head = try #require(proxy.heads.first)
        #expect(proxy.heads.count == 1)
        #expect(head.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n"))
        #expect(head.contains("Basic dXNlcjpzZWNyZXQtMQ=="))
        #expect(!proxy.bytes.isEmpty)
        for text in [head, String(decoding: proxy.bytes, as: UTF8.self)] {
            #expect(!text.contains("secret-"))
        }
    }

    @Test func `a server's certificate is verified behind a proxy`() async throws {
        let server = try await LocalServer.start(tls: try TestCertificates.serverConfiguration()) { _ in .respond(.ok) }
        let proxy = try await TunnelProxy.start()
        var settings = Self.settings(proxy)
        settings.certificateAuthorities = .system
        let transport = try AsyncHTTPClientTransport(settings: settings)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "localhost:\(server.port)", path: "/")
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(head: head, timeout: .seconds(60)))
        }
        #expect(error?.code == .insecureConnection)
        #expect(error?.mayHaveReachedServer == false)
        #expect(proxy.heads.count == 1)
        #expect(server.requests.isEmpty)
    }

    @Test func `a tunnel to a closed port is an error, and no server was reached`() async throws {
        let proxy = try await TunnelProxy.start()
        let port = try ScriptedServer.closedPort()
        let transport = try AsyncHTTPClientTransport(settings: Self.settings(proxy))
        let head = HTTPRequest(method: .get, scheme: "https", authority: "localhost:\(port)", path: "/")
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(head: head, timeout: .seconds(60)))
        }
        #expect(error?.code == .proxyRefused)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(arguments: [407, 403, 502])
    func `a refusal by the proxy is an error, and no server was reached`(status: Int) async throws {
        let server = try ScriptedServer { try $0.respond(status) }
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: HTTPProxy(host: "127.0.0.1", port: server.port))
        }
        #expect(error?.code == .proxyRefused)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test func `an unreachable proxy is an error, and the request does not bypass it`() async throws {
        let port = try ScriptedServer.closedPort()
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: HTTPProxy(host: "127.0.0.1", port: port))
        }
        #expect(error?.code == .connectionRefused)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(arguments: [
        HTTPProxy(host: "", port: 1), HTTPProxy(host: "a b", port: 1), HTTPProxy(host: "u@h", port: 1),
        HTTPProxy(host: "h", port: 0), HTTPProxy(host: "h", port: 65_536),
        HTTPProxy(host: "h", port: 1, credentials: .init(username: "a:b", password: Password("c"))),
    ])
    func `an invalid proxy is refused`(proxy: HTTPProxy) {
        #expect(throws: TransportSettingsError(.invalidProxy)) {
            try AsyncHTTPClientTransport(settings: TransportSettings(proxy: proxy))
        }
    }

    @Test func `plain http to a loopback address bypasses the proxy`() async throws {
        let server = try ScriptedServer { try $0.respond(body: [7]) }
        let proxy = try ScriptedServer { try $0.respond(body: [8]) }
        var head = HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/")
        head.headerFields[.authorization] = "Bearer t1"
        let settings = TransportSettings(proxy: HTTPProxy(host: "127.0.0.1", port: proxy.port))
        let answer = try await AsyncHTTPClientTransport(settings: settings)
            .send(TransportRequest(head: head, timeout: .seconds(60)))
        #expect(answer.body == [7])
        #expect(server.requests.count == 1)
        #expect(proxy.requests.isEmpty)
    }

    @Test func `a printed proxy does not show its credentials`() throws {
        let proxy = HTTPProxy(host: "h", port: 1, credentials: Self.credentials)
        let transport = try AsyncHTTPClientTransport(settings: TransportSettings(proxy: proxy))
        var dumped = ""
        dump(TransportSettings(proxy: proxy), to: &dumped)
        dump(transport, to: &dumped)
        dump(APIClient(baseURL: try BaseURL("https://a.example"), transport: transport), to: &dumped)
        #expect(!dumped.contains("dXNlcj"))
        for text in [dumped, "\(proxy)", String(reflecting: proxy), "\(Self.credentials)"] {
            #expect(!text.contains("secret-"))
            #expect(!text.contains("user"))
        }
    }
}
#endif
