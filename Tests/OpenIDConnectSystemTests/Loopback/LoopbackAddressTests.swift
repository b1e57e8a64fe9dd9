#if LoopbackRedirect && os(Linux)
import Testing

@testable import OpenIDConnect

/// The addresses on which the listener listens, and those on which it must not.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackAddressTests {
    /// Returns a foreign socket on one address whose port is free on the other address.
    private static func stranger(at family: RawSocket.Family) throws -> RawSocket {
        for _ in 0..<16 {
            let stranger = try RawSocket.listening(family)
            if (try? RawSocket.listening(on: stranger.port, family == .v4 ? .v6 : .v4)) != nil { return stranger }
        }
        throw RawSocketError("no port that is free on both addresses")
    }

    private static func bind(
        _ ports: [Int],
        _ name: LoopbackRedirect.Host,
        _ addresses: LoopbackSockets.Addresses = LoopbackSockets.Addresses()
    ) async -> LoopbackSockets? {
        await LoopbackSockets.bind(ports: ports, name: name, addresses: addresses) { _ in }
    }

    @Test func `the redirect URI is a loopback address and not a name`() async throws {
        let loopback = try await Loopback.start()
        #expect(loopback.listener.redirectURI == "http://127.0.0.1:\(loopback.port)/callback")
    }

    @Test func `the name localhost is there for who asks for it`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(host: .localhost, path: "/oauth/done"))
        #expect(loopback.listener.redirectURI == "http://localhost:\(loopback.port)/oauth/done")
    }

    @Test func `two listeners have two ports`() async throws {
        let one = try await LoopbackListener.start()
        let other = try await LoopbackListener.start()
        #expect(one.redirectURI != other.redirectURI)
    }

    /// RFC 8252, 7.3: binding both is recommended.
    @Test func `both addresses are listened on`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(host: .localhost))
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            #expect(try await loopback.answer(to: loopback.get("/")).status == 404)
            let answer = try await RawConnection.answer(to: loopback.rightCallback, at: loopback.port, family: .v6)
            #expect(answer.status == 200)
        }
        #expect(response.code == "right")
    }

    /// RFC 8252, 8.3: clients should not listen on network interfaces other than the loopback one.
    @Test func `no other address of this machine is listened on`() async throws {
        let loopback = try await Loopback.start()
        #expect(throws: RawSocketError.self) { try RawConnection.open(to: loopback.port, family: .other) }
    }

    @Test(arguments: [LoopbackRedirect.Host.address, .localhost])
    func `a fixed port that is taken is a failure of the listener`(host: LoopbackRedirect.Host) async throws {
        let stranger = try Self.stranger(at: .v4)
        let error = await #expect(throws: AuthorizationError.self) {
            try await LoopbackListener.start(LoopbackRedirect(host: host, port: stranger.port))
        }
        #expect(error?.code == .listenerFailed)
    }

    /// A browser may try [::1] first, and would deliver the code to the foreign process.
    @Test func `with localhost a stranger on the other address is a failure`() async throws {
        let stranger = try Self.stranger(at: .v6)
        let error = await #expect(throws: AuthorizationError.self) {
            try await LoopbackListener.start(LoopbackRedirect(host: .localhost, port: stranger.port))
        }
        #expect(error?.code == .listenerFailed)
        #expect(throws: Never.self) { try RawSocket.listening(on: stranger.port, .v4) }
    }

    @Test func `with localhost and any port another one is tried`() async throws {
        let stranger = try Self.stranger(at: .v6)
        let sockets = try #require(await Self.bind([stranger.port, 0], .localhost))
        #expect(sockets.port != stranger.port)
        #expect(throws: Never.self) { try RawSocket.listening(on: stranger.port, .v4) }
        #expect(throws: RawSocketError.self) { try RawSocket.listening(on: sockets.port, .v6) }
        sockets.close()
    }

    /// Browsers don't use the other address: the redirect URI says 127.0.0.1.
    @Test func `with the address a stranger on the other one does not matter`() async throws {
        let stranger = try Self.stranger(at: .v6)
        let loopback = try await Loopback.start(LoopbackRedirect(port: stranger.port))
        #expect(loopback.port == stranger.port)
        try await loopback.response {}
    }

    @Test(arguments: [LoopbackRedirect.Host.address, .localhost])
    func `a machine without IPv6 is listened on by its one address`(name: LoopbackRedirect.Host) async throws {
        let sockets = try #require(await Self.bind([0], name, .init(v6: "2001:db8::1")))
        #expect(sockets.host == "127.0.0.1")
        sockets.close()
    }

    @Test(arguments: [LoopbackRedirect.Host.address, .localhost])
    func `a machine without IPv4 is listened on by its one address`(name: LoopbackRedirect.Host) async throws {
        let sockets = try #require(await Self.bind([0], name, .init(v4: "192.0.2.1")))
        #expect(sockets.host == "[::1]")
        sockets.close()
    }

    @Test func `a machine without either is a failure`() async throws {
        #expect(await Self.bind([0], .address, .init(v4: "192.0.2.1", v6: "2001:db8::1")) == nil)
    }

    /// The system remembers the connections of the last attempt for a minute.
    @Test func `a fixed port can be used again at once`() async throws {
        let first = try await Loopback.start()
        try await first.response {}
        let second = try await Loopback.start(LoopbackRedirect(port: first.port))
        try await second.response {}
    }

    @Test(arguments: [-1, 65_536, .max])
    func `a port that is none is a failure of the listener`(port: Int) async throws {
        let error = await #expect(throws: AuthorizationError.self) {
            try await LoopbackListener.start(LoopbackRedirect(port: port))
        }
        #expect(error?.code == .listenerFailed)
    }

    /// A browser would change such a path, or send more than the path.
    @Test(arguments: [
        "", "callback", "//callback", "/a/../b", "/./a", "/a/..", "/a?b", "/a#b", "/a b", "/a%2Fb", "/ä", "/a\\b",
        "/a\r\nb", "/\"a\"", "/<a>", "/" + String(repeating: "a", count: 256),
    ])
    func `a path that no browser keeps is a failure of the listener`(path: String) async throws {
        let error = await #expect(throws: AuthorizationError.self) {
            try await LoopbackListener.start(LoopbackRedirect(path: path))
        }
        #expect(error?.code == .listenerFailed)
    }

    @Test(arguments: ["/", "/callback/", "/a/b.c/d..e", "/~user/@x:y;z=1,2"])
    func `a path that browsers keep is listened on`(path: String) async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(path: path))
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            try await loopback.answer(to: loopback.get("\(path)?code=c&state=\(loopback.state)"))
        }
        #expect(response.code == "c")
    }

    /// Browsers omit port 80 from both the URL and the host.
    @Test func `port 80 is not written`() {
        #expect(LoopbackListener.authority(host: "127.0.0.1", port: 80) == "127.0.0.1")
        #expect(LoopbackListener.authority(host: "localhost", port: 8_080) == "localhost:8080")
    }
}
#endif
