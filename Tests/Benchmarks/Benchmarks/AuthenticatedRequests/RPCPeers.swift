// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import GRPCAuthorization
import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// A gRPC server on the loopback interface, in this process, and the one client that calls it.
final class RPCPeers: Sendable {
    /// The methods of the server, which do the same; the client treats them differently.
    enum Method: String, CaseIterable {
        /// The interceptor adds the token, and a refused call would be sent again.
        case authorized = "Authorized"
        /// The interceptor adds the token.
        case intercepted = "Intercepted"
        /// The call is given the header, and a refused call would be sent again.
        case retried = "Retried"
        /// The call is given the header.
        case bare = "Bare"

        static let service = "sallyport.Jobs"

        /// Whether the interceptor adds the token.
        var isIntercepted: Bool { self == .authorized || self == .intercepted }

        fileprivate var descriptor: MethodDescriptor {
            MethodDescriptor(fullyQualifiedService: Self.service, method: rawValue, type: .unary)
        }
    }

    private let client: GRPCClient<HTTP2ClientTransport.Posix>
    private let header: String
    private let serving: Task<Void, any Error>
    private let connecting: Task<Void, any Error>

    /// Starts a server on a free port, and connects a client.
    ///
    /// - Parameters:
    ///   - session: The session for the interceptor.
    ///   - bearer: The session's access token, which the server expects.
    /// - Throws: An error if the server can't listen.
    init(_ session: AuthSession, bearer: String) async throws {
        let header = "Bearer \(bearer)"
        self.header = header
        let listening = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: .plaintext
        )
        let server = GRPCServer(transport: listening, services: [Jobs(expected: header)])
        serving = Task { try await server.serve() }
        guard let port = try await listening.listeningAddress.ipv4?.port else { throw Callers.Refused() }
        let retried = [Method.authorized, .retried].map {
            MethodConfig.Name(service: Method.service, method: $0.rawValue)
        }
        let transport = try HTTP2ClientTransport.Posix(
            target: .ipv4(address: "127.0.0.1", port: port),
            transportSecurity: .plaintext,
            serviceConfig: ServiceConfig(
                methodConfig: [MethodConfig(names: retried, executionPolicy: .retry(.unauthenticated))]
            )
        )
        let interceptor = AuthorizationInterceptor(session, server: try BaseURL("http://127.0.0.1:\(port)"))
        let client = GRPCClient(
            transport: transport,
            interceptorPipeline: [
                .apply(interceptor, to: .methods(Set(Method.allCases.filter(\.isIntercepted).map(\.descriptor))))
            ]
        )
        self.client = client
        connecting = Task { try await client.runConnections() }
    }

    deinit {
        connecting.cancel()
        serving.cancel()
    }

    /// Makes a call and reads the response.
    ///
    /// - Parameter method: The method.
    /// - Throws: `RPCError` if the server refuses the token.
    func call(_ method: Method) async throws {
        var metadata = Metadata()
        if !method.isIntercepted { metadata.addString(header, forKey: "authorization") }
        try await client.unary(
            request: ClientRequest(message: [UInt8](), metadata: metadata),
            descriptor: method.descriptor,
            serializer: BytesCoder(),
            deserializer: BytesCoder(),
            options: .defaults
        ) { response in
            _ = try response.message
        }
    }
}

/// The methods of the server, which respond with 1 KB if the token is the expected one.
private struct Jobs: RegistrableRPCService {
    let expected: String

    private static let jobs = [UInt8](repeating: UInt8(ascii: "j"), count: 1_024)

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        for method in RPCPeers.Method.allCases {
            router.registerHandler(
                forMethod: method.descriptor,
                deserializer: BytesCoder(),
                serializer: BytesCoder()
            ) { request, _ in
                for try await _ in request.messages {}
                guard Array(request.metadata[stringValues: "authorization"]) == [expected] else {
                    throw RPCError(code: .unauthenticated, message: "refused")
                }
                return StreamingServerResponse(single: ServerResponse(message: Self.jobs))
            }
        }
    }
}

/// The coding of messages that are bytes.
private struct BytesCoder: MessageSerializer, MessageDeserializer {
    typealias Message = [UInt8]

    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> [UInt8] {
        serializedMessageBytes.withUnsafeBytes { Array($0) }
    }
}
