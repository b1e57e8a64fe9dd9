// SPDX-License-Identifier: Apache-2.0

#if GRPC
import APIClient
import GRPCAuthorization
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import Synchronization
import Testing

extension AuthorizedClient {
    /// gRPC over HTTP/2 without TLS.
    static let grpc = AuthorizedClient(
        description: "GRPCClient",
        hasRedirects: false,
        takesURLs: false,
        endsIfCancelled: false,
        keepsSentBodies: true,
        start: { try await GRPCResourceServer($0) }
    ) { address, source in
        let caller = try GRPCCaller(to: address, authorizedBy: source)
        return { try await caller.send($0) }
    }
}

/// A client of a `GRPCResourceServer`, which ends with this object.
private final class GRPCCaller: Sendable {
    private let client: GRPCClient<HTTP2ClientTransport.Posix>
    private let connections: Task<Void, any Error>

    init(to address: String, authorizedBy source: any AccessTokenSource) throws {
        let server = try BaseURL(address)
        let port = try #require(server.authority.split(separator: ":").last.flatMap { Int(String($0)) })
        let retries = MethodConfig(names: [.init(service: "")], executionPolicy: .retry(.unauthenticated))
        let transport = try HTTP2ClientTransport.Posix(
            target: .ipv4(address: server.host, port: port),
            transportSecurity: .plaintext,
            serviceConfig: ServiceConfig(methodConfig: [retries])
        )
        let interceptor = AuthorizationInterceptor(source, server: server)
        let client = GRPCClient(transport: transport, interceptors: [interceptor])
        self.client = client
        connections = Task { try await client.runConnections() }
    }

    deinit { client.beginGracefulShutdown() }

    /// Sends one call, and returns the status of its result as HTTP's code.
    func send(_ body: AuthorizedClient.Body) async throws -> Int {
        switch body {
        case .none: try await unary([])
        case .replayable: try await unary(AuthorizedClient.Body.bytes)
        case .once: try await stream(AuthorizedClient.Body.bytes)
        }
    }

    private func unary(_ message: [UInt8]) async throws -> Int {
        try await client.unary(
            request: ClientRequest(message: message),
            descriptor: .unaryCall,
            serializer: BytesCoder(),
            deserializer: BytesCoder(),
            options: .defaults
        ) { try Self.status(of: $0) }
    }

    private func stream(_ message: [UInt8]) async throws -> Int {
        let run = SingleRun()
        let request = StreamingClientRequest(of: [UInt8].self) { writer in
            run.begin()
            try await writer.write(message)
        }
        return try await client.clientStreaming(
            request: request,
            descriptor: .streamedCall,
            serializer: BytesCoder(),
            deserializer: BytesCoder(),
            options: .defaults
        ) { try Self.status(of: $0) }
    }

    private static func status(of response: ClientResponse<[UInt8]>) throws -> Int {
        do {
            _ = try response.message
            return 200
        } catch let error as RPCError {
            // An `APIError` with a status describes the refusal. Any other cause says why nothing was sent.
            if let cause = error.cause, (cause as? APIError)?.status == nil { throw cause }
            switch error.code {
            case .unauthenticated: return 401
            case .permissionDenied: return 403
            default: throw error
            }
        }
    }
}

/// The producer of a streamed request, which may run once.
private final class SingleRun: Sendable {
    private let hasBegun = Mutex(false)

    func begin() {
        let isRepeated = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return hasBegun
        }
        if isRepeated { Issue.record("The producer of a streamed request ran again") }
    }
}

/// A gRPC server on the loopback interface, which runs as long as this object lives.
private final class GRPCResourceServer: ResourceServer {
    let address: String
    private let service: ResourceService
    private let serving: Task<Void, any Error>

    init(_ handler: @escaping ResourceServer.Handler) async throws {
        let service = ResourceService(handler)
        var config = HTTP2ServerTransport.Posix.Config.defaults
        config.channelDebuggingCallbacks.onAcceptTCPConnection = { channel in
            service.accept(channel)
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: .plaintext,
            config: config
        )
        let server = GRPCServer(transport: transport, services: [service])
        self.service = service
        serving = Task { try await server.serve() }
        let bound = try await transport.listeningAddress
        let port = try #require(bound.ipv4).port
        address = "http://127.0.0.1:\(port)"
    }

    deinit { serving.cancel() }

    var calls: [ReceivedCall] { service.record.calls }
}

/// The methods of the server, which answer as a check says.
private final class ResourceService: RegistrableRPCService {
    let record = CallRecord()
    private let handler: ResourceServer.Handler
    private let connections = Mutex<[any Channel]>([])

    init(_ handler: @escaping ResourceServer.Handler) { self.handler = handler }

    /// Notes a client's TCP connection.
    func accept(_ connection: any Channel) { connections.withLock { $0.append(connection) } }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        for method in [MethodDescriptor.unaryCall, .streamedCall] {
            router.registerHandler(
                forMethod: method,
                deserializer: BytesCoder(),
                serializer: BytesCoder()
            ) { request, context in
                try await self.respond(to: request, path: "/" + context.descriptor.fullyQualifiedMethod)
            }
        }
    }

    private func respond(
        to request: StreamingServerRequest<[UInt8]>,
        path: String
    ) async throws -> StreamingServerResponse<[UInt8]> {
        var body: [UInt8] = []
        for try await message in request.messages { body += message }
        let call = ReceivedCall(
            authorization: Array(request.metadata[stringValues: "authorization"]),
            proofs: Array(request.metadata[stringValues: "dpop"]),
            path: path,
            body: body
        )
        record.append(call)
        switch handler(call) {
        case .accepted: return StreamingServerResponse(single: ServerResponse(message: []))
        case .refused(let code, let challenge, let nonce): throw Self.refusal(code, challenge, nonce)
        case .redirected, .none: throw RPCError(code: .unimplemented, message: "gRPC has no redirects")
        case .lost:
            await dropConnections()
            throw RPCError(code: .unavailable, message: "The connection is closed")
        }
    }

    private static func refusal(_ status: Int, _ challenge: String?, _ nonce: String?) -> RPCError {
        var metadata = Metadata()
        if let challenge { metadata.addString(challenge, forKey: "www-authenticate") }
        if let nonce { metadata.addString(nonce, forKey: "dpop-nonce") }
        let code: RPCError.Code =
            switch status {
            case 401: .unauthenticated
            case 403: .permissionDenied
            default: .unknown
            }
        return RPCError(code: code, message: "refused", metadata: metadata)
    }

    /// Closes the TCP connections of all clients, and waits until they are closed.
    private func dropConnections() async {
        for connection in connections.withLock({ $0 }) {
            connection.close(promise: nil)
            try? await connection.closeFuture.get()
        }
    }
}

extension MethodDescriptor {
    fileprivate static let unaryCall = MethodDescriptor(
        fullyQualifiedService: "sallyport.Resource",
        method: "Unary",
        type: .unary
    )
    fileprivate static let streamedCall = MethodDescriptor(
        fullyQualifiedService: "sallyport.Resource",
        method: "Streamed",
        type: .clientStreaming
    )
}

/// The coding of messages that are bytes.
private struct BytesCoder: MessageSerializer, MessageDeserializer {
    typealias Message = [UInt8]

    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> [UInt8] {
        unsafe serializedMessageBytes.withUnsafeBytes { unsafe Array($0) }
    }
}
#endif
