#if LoopbackRedirect
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The listener's sockets: 127.0.0.1 and [::1] on one port, or as much of that as there is and is safe.
///
/// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
struct LoopbackSockets: Sendable {
    /// Where to listen; others than the defaults only for tests of machines that lack one.
    struct Addresses: Sendable {
        var v4 = "127.0.0.1"
        var v6 = "::1"
    }

    let port: Int
    /// How the address that is listened on stands in a URL.
    let host: String
    private let channels: [any Channel]

    /// Binds both addresses to one port.
    ///
    /// - Parameters:
    ///   - ports: The ports to try, in order; 0 for one that is free.
    ///   - name: What the redirect URI says: with a name, nobody else may be at the other address.
    ///   - addresses: Where to listen.
    ///   - setUp: Sets up each connection's pipeline.
    /// - Returns: The sockets, or nil where no port could be had.
    static func bind(
        ports: [Int],
        name: LoopbackRedirect.Host,
        addresses: Addresses = Addresses(),
        setUp: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) async -> LoopbackSockets? {
        // One loop for all: connections begin in the order in which they came, so that the oldest is known.
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 128)
            // A fixed port is free again at once, and not a minute after its last connection has ended. This lets nobody
            // listen where someone listens.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try setUp(channel.pipeline.syncOperations) }
            }
        // Held until the end, so that the system does not offer the same free port again.
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
        // With `localhost` the browser may go to either address: whoever holds the other one would get the code.
        default: nil
        }
    }

    private enum Attempt {
        case bound(any Channel, port: Int)
        /// This machine has no such address, so nobody else listens there either.
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

    /// Calls back once as soon as any of the sockets is closed, for whatever reason.
    func onClose(_ act: @escaping @Sendable () -> Void) {
        for channel in channels { channel.closeFuture.whenComplete { _ in act() } }
    }

    /// Begins to close the sockets.
    func close() {
        for channel in channels { channel.close(promise: nil) }
    }

    /// Waits until the sockets are closed and the port is free.
    func closed() async {
        for channel in channels { try? await channel.closeFuture.get() }
    }
}
#endif
