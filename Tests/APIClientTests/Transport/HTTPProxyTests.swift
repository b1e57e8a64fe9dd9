#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(3)))
struct HTTPProxyTests {
    private static let credentials = HTTPProxy.Credentials(username: "user", password: Password("secret-1"))

    /// What goes through the tunnel is plain, so that a proxy of the tests can be the server, too.
    private static func send(through proxy: HTTPProxy) async throws -> TransportResponse {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "behind.example:8080", path: "/a?b=c")
        head.headerFields[.authorization] = "Bearer t1"
        return try await AsyncHTTPClientTransport(settings: TransportSettings(proxy: proxy))
            .send(TransportRequest(head: head, timeout: .seconds(60)))
    }

    @Test func `a request goes through a tunnel, and its credential only there`() async throws {
        let server = try ScriptedServer { exchange in
            if exchange.request.method == "CONNECT" { return try exchange.write("HTTP/1.1 200 OK\r\n\r\n") }
            try exchange.respond(body: [7])
        }
        let proxy = HTTPProxy(host: "127.0.0.1", port: server.port, credentials: Self.credentials)
        #expect(try await Self.send(through: proxy).body == [7])
        #expect(server.requests.map(\.method) == ["CONNECT", "GET"])
        #expect(server.requests.map(\.target) == ["behind.example:8080", "/a?b=c"])
        #expect(server.requests.map { $0.values("Authorization") } == [[], ["Bearer t1"]])
        // "user:secret-1" in Base64.
        #expect(server.requests.map { $0.values("Proxy-Authorization") } == [["Basic dXNlcjpzZWNyZXQtMQ=="], []])
    }

    @Test(arguments: [407, 403, 502])
    func `a proxy that refuses is told, and that no server was reached`(status: Int) async throws {
        let server = try ScriptedServer { try $0.respond(status) }
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: HTTPProxy(host: "127.0.0.1", port: server.port))
        }
        #expect(error?.code == .proxyRefused)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test func `a proxy that is not there is told, and nothing goes around it`() async throws {
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
    func `what is no proxy is refused`(proxy: HTTPProxy) {
        #expect(throws: TransportSettingsError(.invalidProxy)) {
            try AsyncHTTPClientTransport(settings: TransportSettings(proxy: proxy))
        }
    }

    @Test func `a proxy's credentials do not show themselves`() {
        let proxy = HTTPProxy(host: "h", port: 1, credentials: Self.credentials)
        var dumped = ""
        dump(TransportSettings(proxy: proxy), to: &dumped)
        for text in [dumped, "\(proxy)", String(reflecting: proxy), "\(Self.credentials)"] {
            #expect(!text.contains("secret-"))
            #expect(!text.contains("user"))
        }
    }
}
#endif
