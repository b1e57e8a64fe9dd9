// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AppBackendSession
import AuthCore
public import AuthSession
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SecureStore

/// A backend of the contract `tokenPair` on the loopback interface, in this process, on an event loop of its own.
///
/// It counts the requests, and accepts the tokens that a benchmark chooses.
public final class LocalBackend: Sendable {
    /// The path of the API, which needs an access token.
    public static let path = "/api/jobs"

    /// The counts and the accepted tokens.
    public let desk: Desk
    /// The URL of the backend.
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

    /// Starts a backend on a free port.
    ///
    /// - Returns: The backend, which stops with its last reference.
    /// - Throws: An error if the backend can't listen.
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

    /// Returns a session in memory that has signed in here.
    ///
    /// - Parameters:
    ///   - transport: The transport of its requests.
    ///   - lifetime: The lifetime of its first access token in seconds; zero for an expired token.
    /// - Returns: The session.
    /// - Throws: The error of the sign-in.
    public func signedIn(over transport: any Transport, lifetime: Int = 3_600) async throws -> AuthSession {
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
