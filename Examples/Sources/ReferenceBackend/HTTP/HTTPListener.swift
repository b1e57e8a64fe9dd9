// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An HTTP server that listens from its creation until it is stopped.
final class HTTPListener: Sendable {
    /// The port that it listens on.
    let port: Int
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// The idle timeout, longer than the minute for which clients keep a connection for reuse.
    private static let idleTimeout: TimeAmount = .seconds(120)

    private init(port: Int, group: ServiceGroup, running: Task<Void, any Error>) {
        self.port = port
        self.group = group
        self.running = running
    }

    /// Binds and listens.
    ///
    /// - Throws: ``BackendStartError`` (`portInUse`, `addressUnavailable`, `endedEarly`).
    static func start(router: Router<BackendContext>, host: String, port: Int) async throws -> HTTPListener {
        let (ports, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        // Silences the server's own log, because the request log has what matters.
        let quiet = Logger(label: "sallyport-backend.http") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: HeadLimit(next: router.buildResponder()),
            server: .http1(configuration: .init(idleTimeout: idleTimeout)),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? port) },
            logger: quiet
        )
        let group = ServiceGroup(services: [application], logger: quiet)
        let running = Task {
            do {
                try await group.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
                throw error
            }
        }
        do {
            for try await port in ports { return HTTPListener(port: port, group: group, running: running) }
        } catch {
            throw startError(error, host: host, port: port)
        }
        throw BackendStartError(.endedEarly, "The server stopped before it listened.")
    }

    /// Finishes the requests in progress, then stops; does nothing if called again.
    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await running.result
    }

    private static func startError(_ error: any Error, host: String, port: Int) -> BackendStartError {
        if let error = error as? IOError, error.errnoCode == EADDRINUSE {
            return BackendStartError(
                .portInUse,
                "Port \(port) on \(host) is in use by another program.",
                underlying: error
            )
        }
        return BackendStartError(.addressUnavailable, "Can't listen on \(host) port \(port).", underlying: error)
    }
}
