// SPDX-License-Identifier: Apache-2.0

// A stand-in for the code that grpc-swift's generator makes of a service, for the sample of GRPCAuthorization's page.

#if GRPC
import GRPCCore

/// The stand-in for the generated service `jobs.Jobs`.
enum Jobs_Jobs {
    /// The stand-in for the service's generated client.
    struct Client<Transport: GRPCCore.ClientTransport>: Sendable {
        private let client: GRPCClient<Transport>

        init(wrapping client: GRPCClient<Transport>) { self.client = client }

        func list(_ message: Jobs_ListRequest) async throws -> Jobs_ListResponse {
            try await client.unary(
                request: ClientRequest(message: message),
                descriptor: MethodDescriptor(fullyQualifiedService: "jobs.Jobs", method: "List", type: .unary),
                serializer: ListRequestSerializer(),
                deserializer: ListResponseDeserializer(),
                options: .defaults
            ) { try $0.message }
        }
    }
}

/// The stand-in for a generated message, without fields.
struct Jobs_ListRequest: Sendable {}

/// The stand-in for a generated message, without fields.
struct Jobs_ListResponse: Sendable {}

private struct ListRequestSerializer: MessageSerializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Jobs_ListRequest) throws -> Bytes { Bytes([UInt8]()) }
}

private struct ListResponseDeserializer: MessageDeserializer {
    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> Jobs_ListResponse {
        Jobs_ListResponse()
    }
}
#endif
