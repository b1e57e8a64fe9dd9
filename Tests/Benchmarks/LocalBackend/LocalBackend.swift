public import APIClient
import AuthCore
public import AuthSession
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SecureStore

/// A backend of contract B on the loopback interface, in this process, on an event loop of its own.
///
/// It counts what it is sent, and honours the tokens that it is told to.
public final class LocalBackend: Sendable {
    /// Where the API is, for whoever has an access token.
    public static let path = "/api/jobs"

    /// What it was sent, and what it takes.
    public let desk: Desk
    /// Where it listens.
    public let baseURL: BaseURL
    private let channel: any Channel

    private init(desk: Desk, baseURL: BaseURL, channel: any Channel) {
        self.desk = desk
        self.baseURL = baseURL
        self.channel = channel
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Starts one on a free port.
    ///
    /// - Returns: The backend, which ends with its last reference.
    /// - Throws: Where it can't listen.
    public static func start() async throws -> LocalBackend {
        let desk = Desk()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(DeskHandler(desk: desk))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        let url = try BaseURL("http://127.0.0.1:\(port)")
        return LocalBackend(desk: desk, baseURL: url, channel: channel)
    }

    /// A session that has signed in here, kept in memory.
    ///
    /// - Parameters:
    ///   - transport: What carries its requests.
    ///   - lifetime: How long its first access token lives, in seconds; zero for one that has expired.
    /// - Returns: The session.
    /// - Throws: What the sign-in throws.
    public func signedIn(over transport: AsyncHTTPClientTransport, lifetime: Int = 3_600) async throws -> AuthSession {
        desk.reset(lifetime: lifetime)
        let session = AuthSession(
            backend: .firstParty(baseURL: baseURL, contract: .tokenPair),
            store: MemoryStore(),
            transport: transport
        )
        try await session.signIn(
            email: "ada@example.com",
            password: Password("benchmark"),
            device: DeviceInfo(osVersion: "1", model: "PC", appVersion: "1", installationID: UUID().uuidString)
        )
        return session
    }
}
