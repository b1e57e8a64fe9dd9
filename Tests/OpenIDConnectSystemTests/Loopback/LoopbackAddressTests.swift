// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Testing

@testable import OpenIDConnect

/// The addresses on which the listener listens, and those on which it must not.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackAddressTests {
    /// Returns a foreign socket on one address whose port is free on the other address.
    private static func foreignSocket(at family: RawSocket.Family) throws -> RawSocket {
        for _ in 0..<16 {
            let foreignSocket = try RawSocket.listening(family)
            if (try? RawSocket.listening(on: foreignSocket.port, family == .v4 ? .v6 : .v4)) != nil {
                return foreignSocket
            }
        }
        throw RawSocketError("no port that is free on both addresses")
    }

    private static func bind(
        _ ports: [Int],
        _ name: LoopbackRedirect.Host,
        v4: String = "127.0.0.1",
        v6: String = "::1"
    ) -> LoopbackSockets? {
        LoopbackSockets(ports: ports, name: name, v4: v4, v6: v6)
    }

    @Test func `the redirect URI contains the loopback address, not a name`() async throws {
        let loopback = try await Loopback.start()
        #expect(loopback.listener.redirectURI == "http://127.0.0.1:\(loopback.port)/callback")
    }

    @Test func `the redirect URI contains localhost if the app chooses it`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(host: .localhost, path: "/oauth/done"))
        #expect(loopback.listener.redirectURI == "http://localhost:\(loopback.port)/oauth/done")
    }

    @Test func `two listeners have different ports`() async throws {
        let one = try await LoopbackListener.start()
        let other = try await LoopbackListener.start()
        #expect(one.redirectURI != other.redirectURI)
    }

    /// RFC 8252, 7.3: binding both is recommended.
    @Test func `the listener uses both loopback addresses`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(host: .localhost))
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            #expect(try await loopback.rawResponse(to: loopback.get("/")).status == 404)
            let answer = try await RawConnection.rawResponse(to: loopback.rightCallback, at: loopback.port, family: .v6)
            #expect(answer.status == 200)
        }
        #expect(response.code == "right")
    }

    /// RFC 8252, 8.3: clients should not listen on network interfaces other than the loopback one.
    @Test func `the listener uses no other address of this machine`() async throws {
        let loopback = try await Loopback.start()
        #expect(throws: RawSocketError.self) { try RawConnection.open(to: loopback.port, family: .other) }
    }

    @Test(arguments: [LoopbackRedirect.Host.address, .localhost])
    func `the listener fails if its fixed port is in use`(host: LoopbackRedirect.Host) async throws {
        let foreignSocket = try Self.foreignSocket(at: .v4)
        let error = await #expect(throws: OpenIDError.self) {
            try await LoopbackListener.start(LoopbackRedirect(host: host, port: foreignSocket.port))
        }
        #expect(error == OpenIDError(.authorization, .portUnavailable(foreignSocket.port)))
    }

    /// A browser may try [::1] first, and would deliver the code to the foreign process.
    @Test func `the listener on localhost fails if another process uses the other address`() async throws {
        let foreignSocket = try Self.foreignSocket(at: .v6)
        let error = await #expect(throws: OpenIDError.self) {
            try await LoopbackListener.start(LoopbackRedirect(host: .localhost, port: foreignSocket.port))
        }
        #expect(error == OpenIDError(.authorization, .portUnavailable(foreignSocket.port)))
        #expect(throws: Never.self) { try RawSocket.listening(on: foreignSocket.port, .v4) }
    }

    @Test func `the listener on localhost tries another port if any port is allowed`() throws {
        let foreignSocket = try Self.foreignSocket(at: .v6)
        let sockets = try #require(Self.bind([foreignSocket.port, 0], .localhost))
        #expect(sockets.port != foreignSocket.port)
        #expect(throws: Never.self) { try RawSocket.listening(on: foreignSocket.port, .v4) }
        #expect(throws: RawSocketError.self) { try RawSocket.listening(on: sockets.port, .v6) }
        withExtendedLifetime(sockets) {}
    }

    /// Browsers don't use the other address: the redirect URI says 127.0.0.1.
    @Test func `the listener on 127.0.0.1 ignores another process on the other address`() async throws {
        let foreignSocket = try Self.foreignSocket(at: .v6)
        let loopback = try await Loopback.start(LoopbackRedirect(port: foreignSocket.port))
        #expect(loopback.port == foreignSocket.port)
        try await loopback.response {}
    }

    @Test(arguments: [LoopbackRedirect.Host.address, .localhost])
    func `the listener uses only IPv4 on a machine without IPv6`(name: LoopbackRedirect.Host) throws {
        let sockets = try #require(Self.bind([0], name, v6: "2001:db8::1"))
        #expect(sockets.host == "127.0.0.1")
    }

    @Test(arguments: [LoopbackRedirect.Host.address, .localhost])
    func `the listener uses only IPv6 on a machine without IPv4`(name: LoopbackRedirect.Host) throws {
        let sockets = try #require(Self.bind([0], name, v4: "192.0.2.1"))
        #expect(sockets.host == "[::1]")
    }

    @Test func `the listener fails on a machine without IPv4 and IPv6`() throws {
        #expect(Self.bind([0], .address, v4: "192.0.2.1", v6: "2001:db8::1") == nil)
    }

    /// The system remembers the connections of the last attempt for a minute.
    @Test func `a fixed port can be used again at once`() async throws {
        let first = try await Loopback.start()
        try await first.response {}
        let second = try await Loopback.start(LoopbackRedirect(port: first.port))
        try await second.response {}
    }

    @Test(arguments: [-1, 65_536, .max])
    func `the listener fails with an invalid port`(port: Int) async throws {
        let error = await #expect(throws: OpenIDError.self) {
            try await LoopbackListener.start(LoopbackRedirect(port: port))
        }
        #expect(error == OpenIDError(.authorization, .portUnavailable(nil)))
    }

    /// A browser would change such a path, or send more than the path.
    @Test(arguments: [
        "callback", "//callback", "/a/../b", "/./a", "/a/..", "/a?b", "/a#b", "/a b", "/a%2Fb", "/ä", "/a\\b",
        "/a\r\nb", "/\"a\"", "/<a>", "/" + String(repeating: "a", count: 256),
    ])
    func `the listener fails with a path that browsers change`(path: String) async throws {
        let error = await #expect(throws: OpenIDError.self) {
            try await LoopbackListener.start(LoopbackRedirect(path: path))
        }
        #expect(error == OpenIDError(.authorization, .portUnavailable(nil)))
    }

    @Test(arguments: ["/", "/callback/", "/a/b.c/d..e", "/~user/@x:y;z=1,2"])
    func `the listener accepts a path that browsers keep`(path: String) async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(path: path))
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            try await loopback.rawResponse(to: loopback.get("\(path)?code=c&state=\(loopback.state)"))
        }
        #expect(response.code == "c")
    }

    /// Microsoft's redirect URI has no path.
    @Test func `an empty path stays empty in the redirect URI, and browsers request it as a slash`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(path: ""))
        #expect(loopback.listener.redirectURI.hasSuffix(":\(loopback.port)"))
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            try await loopback.rawResponse(to: loopback.get("/?code=c&state=\(loopback.state)"))
        }
        #expect(response.code == "c")
    }

    /// Browsers omit port 80 from both the URL and the host.
    @Test func `port 80 is omitted from the authority`() {
        #expect(LoopbackListener.authority(host: "127.0.0.1", port: 80) == "127.0.0.1")
        #expect(LoopbackListener.authority(host: "localhost", port: 8_080) == "localhost:8080")
    }
}
#endif
