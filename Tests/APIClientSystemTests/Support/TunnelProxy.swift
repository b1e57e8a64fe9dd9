// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization

/// An HTTP proxy on the loopback interface that only supports `CONNECT`, takes every host for 127.0.0.1, and records
/// the bytes sent through its tunnels.
///
/// [RFC 9110, 9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6).
final class TunnelProxy: Sendable {
    private typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The proxy's record.
    private final class Log: Sendable {
        private struct State {
            var heads: [String] = []
            var bytes: [UInt8] = []
        }

        private let state = Mutex(State())

        var heads: [String] { state.withLock { $0.heads } }
        var bytes: [UInt8] { state.withLock { $0.bytes } }
        func add(head: String) { state.withLock { $0.heads.append(head) } }
        func add(_ buffer: ByteBuffer) { state.withLock { $0.bytes += buffer.readableBytesView } }
    }

    let port: Int
    private let log: Log
    private let serving: Task<Void, any Error>

    private init(port: Int, log: Log, serving: Task<Void, any Error>) {
        self.port = port
        self.log = log
        self.serving = serving
    }

    deinit {
        serving.cancel()
    }

    /// The head of each client's request, unparsed.
    var heads: [String] { log.heads }
    /// The bytes that all clients sent through their tunnels.
    var bytes: [UInt8] { log.bytes }

    /// Starts a proxy.
    ///
    /// - Returns: The proxy, which ends when it is released.
    /// - Throws: The system's error.
    static func start() async throws -> TunnelProxy {
        let log = Log()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Channel(wrappingChannelSynchronously: channel) }
            }
        guard let port = server.channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        let serving = Task {
            try await server.executeThenClose { clients in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await client in clients {
                        // A client that disconnects early is not an error of the proxy.
                        group.addTask { try? await serve(client, log) }
                    }
                }
            }
        }
        return TunnelProxy(port: port, log: log, serving: serving)
    }

    private static func serve(_ client: Channel, _ log: Log) async throws {
        try await client.executeThenClose { fromClient, toClient in
            var chunks = fromClient.makeAsyncIterator()
            var head = ""
            while !head.hasSuffix("\r\n\r\n") {
                guard let chunk = try await chunks.next() else { return }
                head += String(buffer: chunk)
            }
            log.add(head: head)
            guard let server = try? await connection(for: head) else {
                return try await toClient.write(ByteBuffer(string: "HTTP/1.1 502 No way\r\nContent-Length: 0\r\n\r\n"))
            }
            try await server.executeThenClose { fromServer, toServer in
                try await toClient.write(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
                async let back: Void = {
                    for try await chunk in fromServer { try await toClient.write(chunk) }
                    toClient.finish()
                }()
                while let chunk = try await chunks.next() {
                    log.add(chunk)
                    try await toServer.write(chunk)
                }
                toServer.finish()
                try await back
            }
        }
    }

    private static func connection(for head: String) async throws -> Channel {
        let target = head.split(separator: " ")[1].split(separator: ":")
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: Int(target[1]) ?? 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Channel(wrappingChannelSynchronously: channel) }
            }
    }
}
