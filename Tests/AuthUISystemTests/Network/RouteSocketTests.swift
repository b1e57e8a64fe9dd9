// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthTesting
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import AuthUI

/// The kernel's network messages; serialized, as there is one kernel.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RouteSocketTests {
    @Test func `the socket is not inherited by child processes and does not block`() throws {
        let socket = try RouteSocket()
        defer { socket.end() }
        #expect(fcntl(socket.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(socket.number, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test(.changesAddresses) func `a change of the machine's addresses counts once, however many messages report it`()
        async throws
    {
        let socket = try RouteSocket()
        defer { socket.end() }
        while socket.drain() != .nothing {}
        try await LoopbackAddress.comeAndGo()
        #expect(socket.drain() == .change)
        #expect(socket.drain() == .nothing)
    }

    @Test(.changesAddresses) func `an overflow of the socket's buffer counts as a change`() async throws {
        let socket = try RouteSocket()
        defer { socket.end() }
        // The kernel rounds up to its minimum of about two thousand bytes, which is less than these changes need.
        var size: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        #expect(unsafe setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &size, length) == 0)
        while socket.drain() != .nothing {}
        for _ in 0..<5 { try await LoopbackAddress.comeAndGo() }
        #expect(try socket.lostCount() > 0)
        #expect(socket.drain() == .change)
    }

    @Test(.changesAddresses) func `a message of another process does not count as a change`() async throws {
        let socket = try RouteSocket()
        let forger = try RouteSocket()
        defer {
            socket.end()
            forger.end()
        }
        while socket.drain() != .nothing {}
        var address = NetlinkAddress(port: 0)
        #expect(unsafe address.withSocketAddress { unsafe getsockname(socket.number, $0, &$1) } == 0)
        #expect(address.port != 0)
        // An empty RTM_NEWADDR; its content is not examined.
        var message: [UInt32] = [16, 20, 0, 0]
        let sent = unsafe address.withSocketAddress { unsafe sendto(forger.number, &message, 16, 0, $0, $1) }
        #expect(sent == 16)
        var byte: UInt8 = 0
        #expect(unsafe recv(socket.number, &byte, 1, Int32(MSG_PEEK)) == 1)
        #expect(socket.drain() == .nothing)
        // The message was consumed, so that it does not wake the reader again.
        #expect(unsafe recv(socket.number, &byte, 1, Int32(MSG_PEEK)) == -1)
    }

    @Test(.changesAddresses) func `an offline session reconnects when the kernel reports a change`() async throws {
        let fixture = try await Fixture.offline()
        let following = Task { await fixture.session.reconnectOnNetworkChange() }
        // At once, and without success.
        while fixture.transport.count(of: Backend.validate) < 2 { await Task.yield() }
        await settle()
        #expect(fixture.isOffline)
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": {"id": "u1"}}"#) }
        try await LoopbackAddress.comeAndGo()
        // The next retry comes after the minimum spacing.
        await fixture.clock.sleepers()
        fixture.clock.advance(by: AuthSession.minimumReconnectInterval)
        for await state in fixture.session.states where !state.awaitsReconnect { break }
        following.cancel()
        await following.value
    }

    @Test func `reconnectOnNetworkChange validates an offline session at once`() async throws {
        let fixture = try await Fixture.offline()
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": {"id": "u1"}}"#) }
        let following = Task { await fixture.session.reconnectOnNetworkChange() }
        for await state in fixture.session.states where !state.awaitsReconnect { break }
        following.cancel()
        await following.value
    }

    @Test func `the socket is closed when its task is cancelled`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        // Sockets of earlier tests.
        while try RouteSocket.openCount() > 0 { await Task.yield() }
        for _ in 0..<3 {
            let following = Task { await fixture.session.reconnectOnNetworkChange() }
            while try RouteSocket.openCount() == 0 { await Task.yield() }
            #expect(try RouteSocket.openCount() == 1)
            following.cancel()
            await following.value
            // The queue that waits for the socket closes it.
            while try RouteSocket.openCount() > 0 { await Task.yield() }
        }
    }

    @Test func `reconnectOnNetworkChange returns if the socket can't be opened`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try await Fixture.signedIn(.sessionToken)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var usual = rlimit()
            try #require(unsafe getrlimit(resource, &usual) == 0)
            // No more files until the end of this block, since reporting a failure needs some.
            var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
            try #require(unsafe setrlimit(resource, &none) == 0)
            let fault = Result { () throws(RouteSocket.SocketError) in try RouteSocket() }
            await fixture.session.reconnectOnNetworkChange()
            try #require(unsafe setrlimit(resource, &usual) == 0)
            #expect(throws: RouteSocket.SocketError(call: "socket", code: EMFILE)) { try fault.get() }
        }
    }
}

extension Fixture {
    /// Returns a signed-in session whose backend has just become unreachable; one check has been sent.
    fileprivate static func offline() async throws -> Fixture {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(503, code: "down", message: "Down.") }
        await fixture.session.validate()
        #expect(fixture.isOffline)
        return fixture
    }
}

extension RouteSocket {
    /// Returns the number of open sockets of this process, recognised by their groups, which no other socket uses.
    fileprivate static func openCount() throws -> Int {
        let folder = "/proc/self/fd"
        let own = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        return try rows().count { $0.protocolNumber == "0" && $0.groups == "00000551" && own.contains($0.file) }
    }

    /// Returns the number of messages that the socket dropped for lack of room.
    fileprivate func lostCount() throws -> Int {
        let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return try #require(Self.rows().first { $0.file == file }).lost
    }

    private static func rows() throws -> [(protocolNumber: Substring, groups: Substring, lost: Int, file: String)] {
        try String(contentsOfFile: "/proc/self/net/netlink", encoding: .utf8).split(separator: "\n").dropFirst().map {
            let columns = $0.split(separator: " ")
            return (columns[1], columns[3], try #require(Int(columns[8])), "socket:[\(columns[9])]")
        }
    }
}

/// An unused address of the loopback interface.
private enum LoopbackAddress {
    private static let address = "127.77.0.1/32"

    /// Returns whether this process may change addresses; tries it.
    static func canChange() async -> Bool {
        (try? await comeAndGo()) != nil
    }

    /// Adds the address and removes it.
    static func comeAndGo() async throws {
        try await change("add")
        try await change("del")
    }

    private static func change(_ verb: String) async throws {
        let output = try await Command("ip", ["address", verb, address, "dev", "lo"]).run()
        guard output.exitCode == 0 else { throw Refusal(text: output.errorText) }
    }

    private struct Refusal: Error {
        let text: String
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var changesAddresses: Self {
        .enabled(
            "needs iproute2 and CAP_NET_ADMIN: an ordinary user has it in `unshare -Urn`, after `ip link set lo up`"
        ) {
            await LoopbackAddress.canChange()
        }
    }
}
#endif
