// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import OpenIDConnect

/// RFC 8252, 8.3: the port is open for the duration of one request, and no longer.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackEndTests {
    /// Returns whether another process could listen on the port, on both addresses.
    private static func isFree(_ port: Int) -> Bool {
        [.v4, .v6].allSatisfy { (try? RawSocket.listening(on: port, $0)) != nil }
    }

    @Test func `the port is in use while the browser is awaited`() async throws {
        let loopback = try await Loopback.start()
        for family in [RawSocket.Family.v4, .v6] {
            #expect(throws: RawSocketError.self) { try RawSocket.listening(on: loopback.port, family) }
        }
    }

    @Test func `the port is free after the response`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {}
        #expect(Self.isFree(loopback.port))
    }

    @Test func `the port is free if the browser can't be opened`() async throws {
        struct NoBrowser: Error {}
        let loopback = try await Loopback.start()
        await #expect(throws: NoBrowser.self) {
            try await loopback.listener.response(to: loopback.request) { _ in throw NoBrowser() }
        }
        #expect(Self.isFree(loopback.port))
    }

    @Test func `cancellation ends the wait and frees the port`() async throws {
        let loopback = try await Loopback.start()
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { try await loopback.listener.response(to: loopback.request) { _ in open.yield() } }
        for await _ in opened { break }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(Self.isFree(loopback.port))
    }

    @Test func `a wait that is cancelled before it begins ends at once`() async throws {
        let loopback = try await Loopback.start()
        let waiting = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await loopback.listener.response(to: loopback.request) { _ in }
        }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(Self.isFree(loopback.port))
    }

    @Test func `the end of the wait closes every connection`() async throws {
        let loopback = try await Loopback.start()
        let idle = try RawConnection.open(to: loopback.port)
        // The next request is answered only after the idle connection is accepted.
        try await loopback.response { try await loopback.rawResponse(to: loopback.get("/")) }
        #expect(try await idle.rest().isEmpty)
    }

    @Test func `the port is free once the listener is released`() async throws {
        func port() async throws -> Int { try await Loopback.start().port }
        let port = try await port()
        try await waitUntil("the port is free") { Self.isFree(port) }
    }

    @Test func `connections are closed once the listener is released`() async throws {
        func connection() async throws -> RawConnection {
            let loopback = try await Loopback.start()
            let connection = try RawConnection.open(to: loopback.port)
            try await loopback.rawResponse(to: loopback.get("/"))
            return connection
        }
        #expect(try await connection().rest().isEmpty)
    }

    @Test func `a listener can be used for only one wait`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {}
        let error = await #expect(throws: OpenIDError.self) {
            try await loopback.listener.response(to: loopback.request) { _ in
                Issue.record("the browser was opened")
            }
        }
        #expect(error == OpenIDError(.authorization, .portUnavailable(nil)))
    }

    /// The next process on that port would get the code.
    @Test func `the wait ends if the listener loses its sockets`() async throws {
        let loopback = try await Loopback.start()
        let error = await #expect(throws: OpenIDError.self) {
            try await loopback.listener.response(to: loopback.request) { _ in loopback.listener.waker.endOutput() }
        }
        #expect(error == OpenIDError(.authorization, .portUnavailable(nil)))
    }

    /// In a process of its own, in which nothing else opens descriptors.
    @Test func `listeners leave no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            func use(_ ending: Int) async throws {
                let loopback = try await Loopback.start()
                let idle = try RawConnection.open(to: loopback.port)
                if ending == 0 { return }
                if ending == 1 { return try await loopback.response {} }
                let waiting = Task { try await loopback.listener.response(to: loopback.request) { _ in } }
                waiting.cancel()
                _ = await waiting.result
                #expect(try await idle.rest().isEmpty)
            }
            try await use(1)
            // The clock opens a descriptor at the first pause.
            var looks = 0
            try await waitUntil("there was a pause") {
                looks += 1
                return looks > 1
            }
            let before = try count()
            for round in 0..<150 { try await use(round % 3) }
            try await waitUntil("the descriptors are closed") { try count() <= before }
        }
    }
}
#endif
