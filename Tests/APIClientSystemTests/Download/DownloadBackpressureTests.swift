// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Downloads over real sockets, from a server that writes as fast as the client reads.
@Suite(.timeLimit(.minutes(3)))
struct DownloadBackpressureTests {
    private static let chunk = [UInt8](repeating: 7, count: 64 * 1_024)
    private static let size = 64 * 1_024 * 1_024
    /// The limit of bytes that sockets, client and hand-off may hold together, most of them in the kernel's buffers.
    private static let inFlight = 24 * 1_024 * 1_024

    /// A counter of the bytes that a server could write.
    private final class WriteCounter: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }
        func add(_ count: Int) { state.withLock { $0 += count } }

        /// Returns once the server has written nothing for half a second, because the client reads nothing.
        func standstill() async {
            var (seen, since) = (count, ContinuousClock.now)
            while ContinuousClock.now - since < .milliseconds(500) {
                await Task.yield()
                let now = count
                if now != seen { (seen, since) = (now, .now) }
            }
        }
    }

    private static func server(_ written: WriteCounter) throws -> ScriptedServer {
        try ScriptedServer { exchange in
            try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<(size / chunk.count) {
                try exchange.write(chunk)
                written.add(chunk.count)
            }
        }
    }

    private static func client(_ server: ScriptedServer) throws -> APIClient {
        APIClient(baseURL: try BaseURL("http://\(server.authority)"), transport: AsyncHTTPClientTransport())
    }

    @Test func `a large download arrives complete, and its buffered part stays small`() async throws {
        let written = WriteCounter()
        let server = try Self.server(written)
        let reported = Mutex(TransferProgress(bytes: 0, expectedTotal: nil))
        let progress: @Sendable (TransferProgress) -> Void = { now in reported.withLock { $0 = now } }
        let (count, largest) = try await Self.client(server)
            .download(.download("/file"), progress: progress) { _, body in
                var (count, largest) = (0, 0)
                var pauses = [1, Self.size / 4, Self.size / 2]
                for try await chunk in body {
                    count += chunk.count
                    // Reading pauses now and then, so that the server gets ahead as far as it can.
                    if let pause = pauses.first, count >= pause {
                        pauses.removeFirst()
                        await written.standstill()
                    }
                    largest = max(largest, written.count - count)
                }
                return (count, largest)
            }
        #expect(count == Self.size)
        #expect(largest < Self.inFlight)
        #expect(largest > 0)
        #expect(reported.withLock { $0 } == TransferProgress(bytes: Self.size, expectedTotal: Self.size))
    }

    @Test func `no more is read from the server after the reader returns`() async throws {
        let written = WriteCounter()
        let server = try Self.server(written)
        let first = try await Self.client(server)
            .download(.download("/file")) { _, body in
                for try await chunk in body { return chunk.count }
                return 0
            }
        #expect(first > 0)
        await written.standstill()
        #expect(written.count < Self.inFlight)
    }

    @Test func `an interrupted download is an error, and nothing is sent again`() async throws {
        let server = try ScriptedServer { exchange in
            try exchange.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
            try exchange.write(Self.chunk)
            try exchange.hangUp()
        }
        let read = Mutex(0)
        let error = await #expect(throws: APIError.self) {
            try await Self.client(server)
                .download(.download("/file")) { _, body in
                    for try await chunk in body { read.withLock { $0 += chunk.count } }
                }
        }
        #expect(error?.code == .unreachable)
        #expect((error?.underlying as? TransportError)?.code == .connectionClosed)
        #expect(error?.mayHaveReachedServer == true)
        // The client may have dropped some of the bytes that arrived right before the end.
        #expect(read.withLock { $0 } <= Self.chunk.count)
        #expect(server.requests.count == 1)
    }
}
#endif
