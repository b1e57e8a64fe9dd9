// SPDX-License-Identifier: Apache-2.0

import APIClient
import AsyncHTTPClient
import AsyncHTTPClientAuthorization
import AuthSession
import Benchmark
import Foundation
import HTTPTypes
import LocalBackend
import NIOCore
import NIOHTTP1
import Synchronization

/// A way to send the request.
enum Caller: String, CaseIterable {
    case client = "APIClient, signed in"
    /// The client without the request for its token: the difference is the time that the token takes.
    case clientWithoutAsking = "APIClient, given the header"
    case transport = "CurlTransport, bare"
    /// The client's own work: nothing is sent.
    case clientAlone = "APIClient, answered at once"
    /// An app's own async-http-client, with the session's token.
    case httpClient = "HTTPClient.execute(_:authorizedBy:)"
    /// The same without the session: the header is given.
    case bareHTTPClient = "HTTPClient.execute, bare"
    /// A generated client over the transport, with the middleware.
    case openAPI = "OpenAPI, AuthorizationMiddleware"
    /// The same without the middleware: the header is given.
    case bareOpenAPI = "OpenAPI, bare"

    /// The callers whose requests go over a connection.
    static let connected: [Caller] = [
        .client, .clientWithoutAsking, .transport, .httpClient, .bareHTTPClient, .openAPI, .bareOpenAPI,
    ]

    /// The caller whose time this one's is compared with; nil for a caller that others are compared with.
    var peer: Caller? {
        switch self {
        case .client, .clientWithoutAsking, .clientAlone: .transport
        case .httpClient, .transport: .bareHTTPClient
        case .openAPI: .bareOpenAPI
        case .bareHTTPClient, .bareOpenAPI: nil
        }
    }
}

/// All callers: each client with its own connections, and all with one session.
final class Callers: Sendable {
    struct Refused: Error {}

    private struct Parts {
        /// The backend, which stops its server when it is released.
        let backend: LocalBackend
        /// The server of the requests: the backend, or one in a process of its own that the environment names.
        let server: BaseURL
        let session: AuthSession
        let client: APIClient
        let clientAlone: APIClient
        let transport: CurlTransport
        let openAPI: Client
        let bareOpenAPI: Client
        /// The token and the header fields that the client sends.
        let bearer: String
        let given: HTTPFields

        /// The request with the fields that are given.
        var endpoint: Endpoint<TransportResponse> {
            var endpoint = Endpoint.raw(.get, LocalBackend.path)
            endpoint.headers = given
            return endpoint
        }
    }

    private let parts = Mutex<Parts?>(nil)
    private let warmed = Mutex<Set<Caller>>([])

    /// Starts the servers and signs in, once, and connects a caller and its peer.
    func prepare(_ caller: Caller) async throws {
        if parts.withLock({ $0 == nil }) { try await start() }
        for caller in [caller, caller.peer].compactMap({ $0 }) where Caller.connected.contains(caller) {
            guard warmed.withLock({ $0.insert(caller).inserted }) else { continue }
            for concurrency in [1, 64] { _ = try await time(caller, requests: 2_000, concurrency: concurrency) }
        }
    }

    private func start() async throws {
        let backend = try await LocalBackend.start()
        let transport = try CurlTransport(settings: TransportSettings())
        let session = try await backend.signedIn(over: transport)
        let named = ProcessInfo.processInfo.environment["SALLYPORT_BENCHMARK_SERVER"]
        let base = try named.map { try BaseURL($0) } ?? backend.baseURL
        let client = APIClient(baseURL: base, authenticatedBy: session, transport: transport)
        let token = try await session.accessToken()
        let fields: HTTPFields = [.accept: "application/json", .authorization: "Bearer \(token.unredacted)"]
        guard let server = URL(string: base.description + "/api") else { throw URLError(.badURL) }
        let made = Parts(
            backend: backend,
            server: base,
            session: session,
            client: client,
            clientAlone: APIClient(
                baseURL: base,
                authenticatedBy: session,
                transport: ImmediateTransport()
            ),
            transport: transport,
            openAPI: Client(
                serverURL: server,
                transport: OpenAPITransport(transport),
                middlewares: [AuthorizationMiddleware(source: session)]
            ),
            bareOpenAPI: Client(serverURL: server, transport: OpenAPITransport(transport, given: token.unredacted)),
            bearer: token.unredacted,
            given: fields
        )
        parts.withLock { $0 = made }
    }

    /// Returns the time that a number of requests takes; each task sends its share one after another.
    func time(_ caller: Caller, requests: Int, concurrency: Int) async throws -> Duration {
        guard let parts = parts.withLock({ $0 }) else { throw CancellationError() }
        let clock = ContinuousClock()
        let share = requests / concurrency
        return try await clock.measure {
            guard concurrency > 1 else { return try await Self.send(caller, parts, times: share) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<concurrency { group.addTask { try await Self.send(caller, parts, times: share) } }
                try await group.waitForAll()
            }
        }
    }

    /// Returns the client's request, built for a bare transport.
    private static func request(_ parts: Parts) -> TransportRequest {
        let server = parts.server
        return TransportRequest(
            head: HTTPRequest(
                method: .get,
                scheme: server.scheme,
                authority: server.authority,
                path: LocalBackend.path,
                headerFields: [.accept: "application/json", .authorization: "Bearer \(parts.bearer)"]
            )
        )
    }

    private static func send(_ caller: Caller, _ parts: Parts, times: Int) async throws {
        for _ in 0..<times {
            let status =
                switch caller {
                case .client: try await parts.client.send(.raw(.get, LocalBackend.path)).head.status.code
                case .clientWithoutAsking:
                    try await parts.client.send(parts.endpoint).head.status.code
                case .transport: try await parts.transport.send(request(parts)).head.status.code
                case .clientAlone: try await parts.clientAlone.send(.raw(.get, LocalBackend.path)).head.status.code
                case .httpClient, .bareHTTPClient: try await sendByHTTPClient(caller, parts)
                case .openAPI: try await parts.openAPI.listJobs().status
                case .bareOpenAPI: try await parts.bareOpenAPI.listJobs().status
                }
            guard status == 200 else { throw Refused() }
        }
    }

    /// Sends the request with the shared client, and reads the response.
    private static func sendByHTTPClient(_ caller: Caller, _ parts: Parts) async throws -> Int {
        var request = HTTPClientRequest(url: parts.server.description + LocalBackend.path)
        request.headers.add(name: "Accept", value: "application/json")
        let response: HTTPClientResponse
        if caller == .httpClient {
            response = try await HTTPClient.shared.execute(request, authorizedBy: parts.session)
        } else {
            request.headers.add(name: "Authorization", value: "Bearer \(parts.bearer)")
            response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        }
        _ = try await response.body.collect(upTo: 65_536)
        return Int(response.status.code)
    }
}

extension Operations.ListJobs.Output {
    /// The status of the response.
    fileprivate var status: Int {
        switch self {
        case .ok: 200
        case .undocumented(let status): status
        }
    }
}
