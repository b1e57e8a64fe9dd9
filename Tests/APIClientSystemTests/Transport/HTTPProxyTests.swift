// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import AuthCore
import HTTPTypes
import NIOHTTP1
import TestSupport
import Testing

@testable import APIClient

@Suite(.timeLimit(.minutes(3)))
struct HTTPProxyTests {
    /// Sends a request in plain text through the tunnel, so that a test's proxy can also act as the server.
    private static func send(through proxy: String) async throws -> TransportResponse {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "behind.example:8080", path: "/a?b=c")
        head.headerFields[.authorization] = "Bearer t1"
        return try await CurlTransport(settings: TransportSettings(proxy: .url(proxy)))
            .send(TransportRequest(head: head, timeout: .seconds(60)))
    }

    /// Starts a proxy that is also the server behind it, and that demands credentials in Base64.
    private static func demanding(_ credentials: String) throws -> ScriptedServer {
        try ScriptedServer { exchange in
            guard exchange.request.method == "CONNECT" else {
                return try exchange.respond(404, ["X-Seen: 1"], body: [7])
            }
            guard exchange.request.values("Proxy-Authorization") == ["Basic \(credentials)"] else {
                return try exchange.respond(407, ["Proxy-Authenticate: Basic realm=\"proxy\""])
            }
            try exchange.write("HTTP/1.1 200 OK\r\n\r\n")
        }
    }

    @Test(arguments: [
        // The texts "user:secret-1", "user:" and "us@er:p:@/s%".
        ("user:secret-1@", "dXNlcjpzZWNyZXQtMQ=="), ("user:@", "dXNlcjo="),
        ("us%40er:p%3A%40%2Fs%25@", "dXNAZXI6cDpAL3Ml"),
    ])
    func `a request is tunneled, and its credential is sent only in the tunnel`(
        credentials: String,
        base64: String
    ) async throws {
        let server = try Self.demanding(base64)
        let answer = try await Self.send(through: "http://\(credentials)127.0.0.1:\(server.port)")
        // The server's response, and not the proxy's.
        #expect(answer.head.status == .notFound && answer.body == [7])
        #expect(answer.head.headerFields[try #require(HTTPField.Name("X-Seen"))] == "1")
        #expect(server.requests.map(\.method) == ["CONNECT", "GET"])
        #expect(server.requests.map(\.target) == ["behind.example:8080", "/a?b=c"])
        #expect(server.requests.map { $0.values("Authorization") } == [[], ["Bearer t1"]])
        #expect(server.requests.map { $0.values("Proxy-Authorization") } == [["Basic \(base64)"], []])
    }

    @Test(arguments: ["", "user:wrong@"])
    func `a proxy that demands a password refuses the request`(credentials: String) async throws {
        let server = try Self.demanding("dXNlcjpzZWNyZXQtMQ==")
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: "http://\(credentials)127.0.0.1:\(server.port)")
        }
        #expect(error?.code == .proxyRefused)
        #expect(error?.mayHaveReachedServer == false)
        #expect(Set(server.requests.map(\.method)) == ["CONNECT"])
    }

    /// Returns a request to a server behind a proxy that takes every host for 127.0.0.1, by a name that is no loopback
    /// host.
    private static func request(_ port: Int) -> TransportRequest {
        var head = HTTPRequest(method: .post, scheme: "https", authority: "server.example:\(port)", path: "/secret-5")
        head.headerFields[.authorization] = "Bearer secret-2"
        return TransportRequest(head: head, body: Array("4-terces".utf8), timeout: .seconds(60))
    }

    @Test func `a proxy sees only the host and the port of a TLS request`() async throws {
        let tls = try TestCertificates.serverConfiguration(TestFaultyCertificates.otherName)
        let server = try await TLSServer(tls: tls) { $0.reversed() }
        let proxy = try await TunnelProxy.start()
        let file = try TemporaryFile(Array(TestFaultyCertificates.authority.utf8))
        let settings = TransportSettings(
            certificateAuthorities: file.path,
            proxy: .url("http://user:secret-1@127.0.0.1:\(proxy.port)")
        )
        let loop = CurlLoop()
        for _ in 0..<2 {
            let answer = try await CurlTransport(CurlSettings(settings), loop: loop).send(Self.request(server.port))
            #expect(answer.body == Array("secret-4".utf8))
        }
        #expect(server.requests.map { $0.head.headers["Authorization"] } == [["Bearer secret-2"], ["Bearer secret-2"]])
        #expect(server.requests.flatMap { $0.head.headers["Proxy-Authorization"] }.isEmpty)
        // Both requests share one tunnel, because the connection is kept.
        let head = try #require(proxy.heads.first)
        #expect(proxy.heads.count == 1)
        #expect(head.hasPrefix("CONNECT server.example:\(server.port) HTTP/1.1\r\n"))
        #expect(head.contains("Basic dXNlcjpzZWNyZXQtMQ=="))
        #expect(!proxy.bytes.isEmpty)
        for text in [head, String(decoding: proxy.bytes, as: UTF8.self)] {
            #expect(!text.contains("secret-"))
        }
    }

    @Test func `a server's certificate is verified behind a proxy`() async throws {
        let tls = try TestCertificates.serverConfiguration(TestFaultyCertificates.otherName)
        let server = try await TLSServer(tls: tls)
        let proxy = try await TunnelProxy.start()
        let settings = TransportSettings(proxy: .url("127.0.0.1:\(proxy.port)"))
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport(settings: settings).send(Self.request(server.port))
        }
        #expect(error?.code == .insecureConnection)
        #expect(error?.reason == .issuerUnknown)
        #expect(error?.proxy == "127.0.0.1:\(proxy.port)")
        #expect(error?.mayHaveReachedServer == false)
        #expect(proxy.heads.count == 1)
        #expect(server.requests.isEmpty)
    }

    @Test func `a tunnel to a closed port is an error, and no server was reached`() async throws {
        let proxy = try await TunnelProxy.start()
        let port = try ScriptedServer.closedPort()
        let settings = TransportSettings(proxy: .url("http://127.0.0.1:\(proxy.port)"))
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport(settings: settings).send(Self.request(port))
        }
        #expect(error?.code == .proxyRefused)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(arguments: [407, 403, 502])
    func `a refusal by the proxy is an error, and no server was reached`(status: Int) async throws {
        let server = try ScriptedServer { try $0.respond(status) }
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: "http://user:secret-1@127.0.0.1:\(server.port)")
        }
        #expect(error?.code == .proxyRefused)
        let place = "127.0.0.1:\(server.port), status \(status)"
        #expect(error?.description == "The proxy can't be found or refused the request (proxy \(place)).")
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test func `an unreachable proxy is an error, and the request does not bypass it`() async throws {
        let port = try ScriptedServer.closedPort()
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: "http://127.0.0.1:\(port)")
        }
        #expect(error?.code == .connectionRefused)
        #expect(error?.description == "The server can't be reached (proxy 127.0.0.1:\(port)).")
        #expect(error?.mayHaveReachedServer == false)
    }

    /// An error must name the proxy that was in the way, no other one, and none of its credentials.
    @Test(
        arguments: [
            ("http://user:secret@proxy.example:3128/", "", "proxy.example:3128"),
            ("proxy.example", "", "proxy.example"),
            ("socks5h://us@er:pa/ss@[::1]:1080", "", "[::1]:1080"), ("http://user:secret", "", "user"),
            ("p:1", "other.example, .example", nil), ("p:1", "*", nil), ("p:1", "i.example", "p:1"), ("", "", nil),
        ] as [(String, String, String?)]
    )
    func `the proxy of a request is named without its credentials`(proxy: String, exceptions: String, name: String?) {
        let known = CurlProxy { ["ALL_PROXY": proxy, "NO_PROXY": exceptions][$0] }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example:1", path: "/")
        #expect(known.name(for: request) == name)
    }

    @Test func `a proxy whose name has no address is an error of the proxy`() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(through: "http://no-such-host.invalid:8080")
        }
        #expect(error?.code == .proxyRefused)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(arguments: ["", "http://", "http://a b", "ftp://h:1", "http://h:0x", "http://h:65536"])
    func `an invalid proxy is refused`(proxy: String) {
        let error = #expect(throws: TransportError.self) {
            try CurlTransport(settings: TransportSettings(proxy: .url(proxy)))
        }
        #expect(error?.code == .invalidSettings && error?.reason == .proxy)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a request to a loopback host bypasses the proxy`(host: String) async throws {
        let server = try ScriptedServer { try $0.respond(body: [7]) }
        let proxy = try ScriptedServer { try $0.respond(body: [8]) }
        var head = HTTPRequest(method: .get, scheme: "http", authority: "\(host):\(server.port)", path: "/")
        head.headerFields[.authorization] = "Bearer t1"
        let settings = TransportSettings(proxy: .url("http://127.0.0.1:\(proxy.port)"))
        let answer = try await CurlTransport(settings: settings)
            .send(TransportRequest(head: head, timeout: .seconds(60)))
        #expect(answer.body == [7])
        #expect(server.requests.count == 1)
        #expect(proxy.requests.isEmpty)
    }

    @Test(
        arguments: [
            (["HTTPS_PROXY": "a:1"], ["", "a:1"]), (["HTTP_PROXY": "a:1"], ["a:1", ""]),
            (["ALL_PROXY": "a:1"], ["a:1", "a:1"]), (["all_proxy": "a:1", "ALL_PROXY": "b:1"], ["a:1", "a:1"]),
            (["http_proxy": "a:1", "HTTP_PROXY": "b:1", "https_proxy": "c:1", "HTTPS_PROXY": "d:1"], ["a:1", "c:1"]),
            (["ALL_PROXY": "a:1", "HTTPS_PROXY": "b:1", "http_proxy": ""], ["a:1", "b:1"]),
            // A CGI program's clients choose the value. The name in lower case is not theirs.
            (["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"], ["", ""]),
            (["http_proxy": "a:1", "REQUEST_METHOD": "GET"], ["a:1", ""]), ([:], ["", ""]),
        ] as [([String: String], [String])]
    )
    func `the environment names the proxy`(environment: [String: String], expected: [String]) {
        let proxy = CurlProxy { environment[$0] }
        func address(_ scheme: String, _ authority: String) -> String {
            proxy.address(for: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
        }
        #expect(["http", "https"].map { address($0, "api.example:1") } == expected)
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:1"] {
            #expect(address("https", host).isEmpty)
        }
    }

    @Test(arguments: ["NO_PROXY", "no_proxy"])
    func `hosts in NO_PROXY are reached directly`(name: String) async throws {
        let proxy = try ScriptedServer { exchange in
            if exchange.request.method == "CONNECT" { return try exchange.write("HTTP/1.1 200 OK\r\n\r\n") }
            try exchange.respond(body: [7])
        }
        let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)", name: "other.example, no-such-host.invalid"]
        let settings = CurlSettings(proxy: CurlProxy { variables[$0] })
        let transport = CurlTransport(settings, loop: .shared)
        func send(_ host: String) async throws -> TransportResponse {
            let head = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")
            return try await transport.send(TransportRequest(head: head, timeout: .seconds(60)))
        }
        #expect(try await send("behind.example").body == [7])
        for host in ["no-such-host.invalid", "sub.no-such-host.invalid"] {
            await #expect(throws: TransportError(.hostNotFound, mayHaveReachedServer: false)) { try await send(host) }
        }
        #expect(proxy.requests.count == 2)
    }

    @Test func `a printed proxy does not show its credentials`() throws {
        let proxy = TransportSettings.Proxy.url("http://user:secret-1@h:1")
        let settings = TransportSettings(proxy: proxy)
        let transport = try CurlTransport(settings: settings)
        let client = APIClient(baseURL: try BaseURL("https://a.example"), transport: transport)
        var dumped = ""
        dump(settings, to: &dumped)
        dump(transport, to: &dumped)
        dump(client, to: &dumped)
        for text in [dumped, "\(proxy)", String(reflecting: proxy), "\(settings)", "\(transport)"] {
            #expect(!text.contains("secret-"))
            #expect(!text.contains("user"))
        }
    }
}
#endif
