// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The listener's sockets: 127.0.0.1 and [::1] on one port, as far as both are available and safe.
///
/// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
struct LoopbackSockets: Sendable {
    /// The addresses to listen on; tests change them to simulate machines that lack one.
    struct Addresses: Sendable {
        var v4 = "127.0.0.1"
        var v6 = "::1"
    }

    let port: Int
    /// The listener's host, as written in a URL.
    let host: String
    private let channels: [any Channel]

    /// Binds both addresses to one port.
    ///
    /// - Parameters:
    ///   - ports: The ports to try, in order; 0 for any free one.
    ///   - name: The host in the redirect URI: with a name, no other process may hold the other address.
    ///   - addresses: The addresses to listen on.
    ///   - setUp: The function that sets up each connection's pipeline.
    /// - Returns: The sockets; nil if no port could be bound.
    static func bind(
        ports: [Int],
        name: LoopbackRedirect.Host,
        addresses: Addresses = Addresses(),
        setUp: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) async -> LoopbackSockets? {
        // One event loop for all: connections start in the order of their arrival, so that the oldest is known.
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 128)
            // A fixed port can be bound again at once, not a minute after its last connection has ended. No process can
            // listen on a port on which another one listens.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try setUp(channel.pipeline.syncOperations) }
            }
        // Held until the end, so that the system doesn't offer the same free port again.
        var refused: [any Channel] = []
        var result: LoopbackSockets?
        for port in ports {
            let v4 = await attempt(bootstrap, addresses.v4, port)
            let v6 = await attempt(bootstrap, addresses.v6, v4.port ?? port)
            result = choose(v4, v6, name)
            if result != nil { break }
            refused += [v4.channel, v6.channel].compactMap(\.self)
        }
        for channel in refused { try? await channel.close().get() }
        return result
    }

    private static func choose(_ v4: Attempt, _ v6: Attempt, _ name: LoopbackRedirect.Host) -> LoopbackSockets? {
        switch (v4, v6) {
        case (.bound(let one, let port), .bound(let other, _)):
            LoopbackSockets(port: port, host: "127.0.0.1", channels: [one, other])
        case (.bound(let channel, let port), .noAddress):
            LoopbackSockets(port: port, host: "127.0.0.1", channels: [channel])
        case (.bound(let channel, let port), .failed) where name == .address:
            LoopbackSockets(port: port, host: "127.0.0.1", channels: [channel])
        case (.noAddress, .bound(let channel, let port)):
            LoopbackSockets(port: port, host: "[::1]", channels: [channel])
        // With `localhost` the browser may connect to either address: the process that holds the other one would get
        // the code.
        default: nil
        }
    }

    private enum Attempt {
        case bound(any Channel, port: Int)
        /// This machine lacks the address, so no other process listens on it either.
        case noAddress
        case failed

        var channel: (any Channel)? { if case .bound(let channel, _) = self { channel } else { nil } }
        var port: Int? { if case .bound(_, let port) = self { port } else { nil } }
    }

    private static func attempt(_ bootstrap: ServerBootstrap, _ address: String, _ port: Int) async -> Attempt {
        do {
            let channel = try await bootstrap.bind(to: SocketAddress(ipAddress: address, port: port)).get()
            guard let bound = channel.localAddress?.port else { return .failed }
            return .bound(channel, port: bound)
        } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
            return .noAddress
        } catch {
            return .failed
        }
    }

    /// Calls the function as soon as a socket is closed, for any reason.
    func onClose(_ act: @escaping @Sendable () -> Void) {
        for channel in channels { channel.closeFuture.whenComplete { _ in act() } }
    }

    /// Starts closing the sockets.
    func close() {
        for channel in channels { channel.close(promise: nil) }
    }

    /// Waits until the sockets are closed and the port is free.
    func closed() async {
        for channel in channels { try? await channel.closeFuture.get() }
    }
}
#endif
