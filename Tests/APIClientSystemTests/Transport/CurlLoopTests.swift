// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import AuthCore
import Foundation
import Glibc
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import APIClient

/// The thread behind all transfers.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct CurlLoopTests {
    private static func request(_ server: ScriptedServer, _ path: String = "/", in time: Duration = .seconds(60))
        -> TransportRequest
    {
        let head = HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: path)
        return TransportRequest(head: head, timeout: time)
    }

    @Test func `10,000 requests, 64 at once, do not make the process grow`() async throws {
        let server = try ScriptedServer { try $0.respond(body: Array(repeating: 7, count: 1_000)) }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        let request = Self.request(server)
        func send(_ count: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    if number >= 64 { try await group.next() }
                    group.addTask {
                        let answer = try await transport.send(request)
                        #expect(answer.body.count == 1_000)
                    }
                }
                try await group.waitForAll()
            }
        }
        try await send(2_000)
        let memory = try ResidentMemory.now()
        try await send(10_000)
        #expect(server.requests.count == 12_000)
        #expect(server.connectionCount <= 128)
        // Coarse, because other tests of this process have their memory too.
        #expect(try ResidentMemory.now() - memory < 200 * 1_024 * 1_024)
        #expect(try Self.isInherited(connectionTo: server.port).count <= 64)
    }

    @Test func `a transfer is released when it is over, however it ends`() async throws {
        final class Weak { weak var transfer: CurlTransfer? }
        let server = try ScriptedServer { exchange in
            if exchange.request.target == "/late" { try exchange.waitForEnd() }
            try exchange.respond()
        }
        let port = try ScriptedServer.closedPort()
        let loop = CurlLoop()
        func send(_ url: String, cancelling: Bool = false) async throws -> Weak {
            let released = Weak()
            let transfer = CurlTransfer(Self.request(server), url: url, settings: CurlSettings())
            released.transfer = transfer
            loop.hand(transfer)
            if cancelling {
                transfer.finish(throwing: CancellationError())
                loop.hand(transfer)
            }
            try? await transfer.end.value()
            return released
        }
        for _ in 0..<20 {
            let all = [
                try await send("http://\(server.authority)/"), try await send("http://127.0.0.1:\(port)/"),
                try await send("http://\(server.authority)/late", cancelling: true),
            ]
            // The thread may still hold what it has just finished.
            try await waitUntil("the transfers are released") { all.allSatisfy { $0.transfer == nil } }
        }
    }

    @Test func `a fork between two requests does not disturb the parent`() async throws {
        let server = try ScriptedServer { try $0.respond() }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        #expect(try await transport.send(Self.request(server)).head.status == .ok)
        // Swift does not offer it. The child does nothing that is not allowed after it.
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafe unsafeBitCast(try #require(unsafe dlsym(nil, "fork")), to: Fork.self)
        let child = fork()
        if child == 0 { _exit(0) }
        #expect(child > 0)
        let ended = waitpid(child, nil, 0)
        #expect(ended == child)
        #expect(try await transport.send(Self.request(server)).head.status == .ok)
        #expect(server.connectionCount == 1)
    }

    @Test func `a child process inherits no connection`() async throws {
        let server = try ScriptedServer { try $0.respond() }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop())
        #expect(try await transport.send(Self.request(server)).head.status == .ok)
        #expect(try Self.isInherited(connectionTo: server.port) == [false])
    }

    /// Returns, for each connection to a port, whether a child process would inherit it.
    private static func isInherited(connectionTo port: Int) throws -> [Bool] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
            guard let descriptor = Int32(name) else { return nil }
            var (peer, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            // Safe: the pointer is to a sockaddr_in, whose size goes with it, and is used within the call.
            let result = unsafe withUnsafeMutablePointer(to: &peer) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe getpeername(descriptor, pointer, &size)
                }
            }
            guard result == 0, Int(UInt16(bigEndian: peer.sin_port)) == port else { return nil }
            return fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
        }
    }

    @Test func `a request that waits for its turn times out in its own time, and was not sent`() async throws {
        let server = try ScriptedServer { exchange in
            if exchange.request.target == "/now" { return try exchange.respond() }
            try exchange.waitForEnd()
        }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop(maximumCount: 2))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try? await transport.send(Self.request(server)) } }
            for await _ in server.arrivals.prefix(2) {}
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Self.request(server, "/now", in: .milliseconds(300)))
            }
            #expect(error?.code == .timedOut && error?.mayHaveReachedServer == false)
            let waiting = Task { try await transport.send(Self.request(server, "/now")) }
            let cancelled = Task { try await transport.send(Self.request(server, "/now")) }
            for _ in 0..<20 { await Task.yield() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
            group.cancelAll()
            let answer = try await waiting.value
            #expect(answer.head.status == .ok)
        }
        #expect(server.requests.count == 3)
    }

    @Test func `a loop that is idle ends its thread and connections, and starts again`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { exchange in
            defer { end.yield() }
            try exchange.respond()
            try exchange.waitForEnd()
        }
        let transport = CurlTransport(CurlSettings(), loop: CurlLoop(idleTime: .milliseconds(50)))
        for _ in 0..<3 {
            #expect(try await transport.send(Self.request(server)).head.status == .ok)
            for await _ in ends { break }
        }
        #expect(server.connectionCount == 3)
    }
}
#endif
