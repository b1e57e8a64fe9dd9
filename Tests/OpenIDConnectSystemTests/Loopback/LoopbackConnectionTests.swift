// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Synchronization
import Testing

@testable import OpenIDConnect

/// Slow, silent, greedy or numerous connections: none keeps the browser out, and none holds up the caller.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackConnectionTests {
    private static func limits(_ change: (inout LoopbackLimits) -> Void) -> LoopbackLimits {
        var limits = LoopbackLimits()
        // Limits that a test is not about never expire.
        limits.head = .seconds(3_600)
        limits.response = .seconds(3_600)
        change(&limits)
        return limits
    }

    /// Browsers open such connections in advance.
    @Test func `a silent connection is closed after the time limit`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.head = .milliseconds(50) })
        try await loopback.response {
            let silent = try RawConnection.open(to: loopback.port)
            #expect(try await silent.rest().isEmpty)
        }
    }

    @Test func `a preconnected browser may send its request later`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { _ in })
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            let early = try RawConnection.open(to: loopback.port)
            try await loopback.rawResponse(to: loopback.get("/favicon.ico"))
            try await early.send(loopback.rightCallback)
            #expect(try RawResponse(try await early.rest()).status == 200)
        }
        #expect(response.code == "right")
    }

    /// A deadline that each byte extends would hold such a connection forever.
    @Test func `a head that arrives byte by byte is cut off after the time limit`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.head = .milliseconds(300) })
        try await loopback.response {
            let slow = try RawConnection.open(to: loopback.port)
            try await slow.send("GET /callback HTTP/1.1\r\nX: ")
            try await slow.drip("a", every: .milliseconds(10))
        }
    }

    /// One endless field, and many small ones: the listener stops reading both, without the help of a time limit.
    @Test(arguments: ["a", "a\r\nX: "])
    func `an endless head is refused and cut off`(more: String) async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.fieldCount = .max })
        let size = 64 * 1_024 * 1_024
        try await loopback.response {
            let greedy = try RawConnection.open(to: loopback.port)
            try await greedy.send("GET /callback HTTP/1.1\r\nX: ")
            // The system's own buffers hold a part of it.
            #expect(try await greedy.send(more, upTo: size) < size / 2)
            #expect(try RawResponse(try await greedy.rest()).status == 431)
        }
    }

    @Test(arguments: [(16_384, 200), (16_385, 431)])
    func `a head may have up to 16 KB`(size: Int, status: Int) async throws {
        let loopback = try await Loopback.start()
        let start = String(loopback.rightCallback.dropLast(1)) + "X: "
        let head = start + String(repeating: "a", count: size - start.utf8.count - 4) + "\r\n\r\n"
        #expect(head.utf8.count == size)
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            #expect(try await loopback.rawResponse(to: head).status == status)
            if status != 200 { try await loopback.rawResponse(to: loopback.rightCallback) }
        }
        #expect(response.code == "right")
    }

    @Test func `the oldest idle connection is closed if there are too many`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.connections = 4 })
        try await loopback.response {
            let idle = try (0..<5).map { _ in try RawConnection.open(to: loopback.port) }
            #expect(try await idle[0].rest().isEmpty)
            // The other connections are unchanged.
            try await idle[4].send(loopback.get("/favicon.ico"))
            #expect(try RawResponse(try await idle[4].rest()).status == 404)
        }
    }

    /// Each eight of them are open for the time limit of a head.
    @Test func `slow heads on all connections do not keep the browser out`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { _ in })
        try await loopback.response {
            let slow = try (0..<20).map { _ in try RawConnection.open(to: loopback.port) }
            for connection in slow.suffix(8) { try await connection.send("GET /callback?") }
            try await loopback.rawResponse(to: loopback.get("/"))
            for connection in slow.dropLast(7) { #expect(try await connection.rest().isEmpty) }
        }
    }

    /// The connections of a browser that has its page are the last to yield.
    @Test func `the first eight connections stay open`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { _ in })
        try await loopback.response {
            let idle = try (0..<8).map { _ in try RawConnection.open(to: loopback.port) }
            for connection in idle {
                try await connection.send(loopback.get("/favicon.ico"))
                #expect(try RawResponse(try await connection.rest()).status == 404)
            }
        }
    }

    @Test func `a process that opens many connections does not keep the browser out`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {
            let idle = try (0..<200).map { _ in try RawConnection.open(to: loopback.port) }
            #expect(try await idle[0].rest().isEmpty)
        }
    }

    @Test func `a connection in use is not closed while another is idle`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.connections = 2 })
        try await loopback.response {
            let answered = try RawConnection.open(to: loopback.port)
            try await answered.send(loopback.get("/favicon.ico"))
            #expect(try RawResponse(try await answered.rest()).status == 404)
            let idle = try RawConnection.open(to: loopback.port)
            let new = try RawConnection.open(to: loopback.port)
            #expect(try await idle.rest().isEmpty)
            try await new.send(loopback.get("/favicon.ico"))
            #expect(try RawResponse(try await new.rest()).status == 404)
        }
    }

    /// The second request would get an unexpected response, or could be a callback that hides behind the first.
    @Test func `only the first of several pipelined requests is processed`() async throws {
        let loopback = try await Loopback.start()
        try await loopback.response {
            let hidden = loopback.get("/callback?code=hidden&state=\(loopback.state)")
            let connection = try RawConnection.open(to: loopback.port)
            try await connection.send(loopback.get("/favicon.ico") + hidden)
            let answers = try await connection.rest()
            #expect(answers.hasPrefix("HTTP/1.1 404"))
            #expect(answers.ranges(of: "HTTP/1.1 ").count == 1)
        }
    }

    @Test func `data after the right callback is ignored`() async throws {
        let loopback = try await Loopback.start()
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            let answer = try await loopback.rawResponse(
                to: loopback.rightCallback + "GET garbage\u{0}" + loopback.get("/")
            )
            #expect(answer.status == 200)
        }
        #expect(response.code == "right")
    }

    /// `curl --http2` sends such an offer; the response may be HTTP/1.1.
    @Test func `an offer of another protocol is ignored`() async throws {
        let loopback = try await Loopback.start()
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            // The two line breaks at the end, one character each, make room.
            let offer = "\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"
            let answer = try await loopback.rawResponse(to: loopback.rightCallback.dropLast(2) + offer)
            #expect(answer.status == 200)
        }
        #expect(response.code == "right")
    }

    @Test func `a client that stops sending after the request gets its page`() async throws {
        let loopback = try await Loopback.start()
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            let connection = try RawConnection.open(to: loopback.port)
            try await connection.send(loopback.rightCallback)
            try await connection.endSending()
            #expect(try RawResponse(try await connection.rest()).status == 200)
        }
        #expect(response.code == "right")
    }

    @Test func `the wait ends as soon as the browser has closed the connection`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { _ in })
        try await loopback.response {}
    }

    /// A process may end as soon as it has the response, and the page would then be lost.
    @Test func `the wait does not end before the browser has closed the connection`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { _ in })
        let browser = try RawConnection.open(to: loopback.port)
        let hasHungUp = Mutex(false)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        async let response = loopback.listener.response(to: loopback.request) { _ in
            try await browser.send(loopback.rightCallback)
            #expect(try RawResponse(try await browser.rest()).status == 200)
            open.yield()
        }
        for await _ in opened { break }
        for _ in 0..<10 { try await loopback.rawResponse(to: loopback.get("/")) }
        hasHungUp.withLock { $0 = true }
        try await browser.endSending()
        _ = try await response
        #expect(hasHungUp.withLock { $0 })
    }

    @Test func `the browser gets its whole page before the wait ends`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.response = .milliseconds(100) })
        let browser = try RawConnection.open(to: loopback.port)
        _ = try await loopback.listener.response(to: loopback.request) { _ in
            try await browser.send(loopback.rightCallback)
        }
        let answer = try RawResponse(try await browser.rest())
        #expect(answer.fields["content-length"] == "\(answer.body.utf8.count)")
        #expect(answer.body.contains("</html>"))
    }

    @Test func `a browser that keeps the connection open does not block the wait`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { $0.response = .milliseconds(100) })
        let browser = try RawConnection.open(to: loopback.port)
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            try await browser.send(loopback.rightCallback)
            #expect(try RawResponse(try await browser.rest()).status == 200)
        }
        #expect(response.code == "right")
    }

    @Test func `a callback counts even if the browser leaves before it reads its page`() async throws {
        let loopback = try await Loopback.start(limits: Self.limits { _ in })
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            let browser = try RawConnection.open(to: loopback.port)
            try await browser.send(loopback.rightCallback)
            try await browser.waitUntilReadable()
        }
        #expect(response.code == "right")
    }
}
#endif
