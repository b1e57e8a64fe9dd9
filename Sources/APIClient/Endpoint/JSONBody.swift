import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON in and out.
enum JSONBody {
    static func encode(_ value: (any Encodable & Sendable)?, into options: inout EndpointOptions) throws -> RequestBody
    {
        guard let value else { return .none }
        options.headers[.contentType] = "application/json"
        return .bytes(Array(try JSONEncoder().encode(value)))
    }

    @Sendable static func decode<Value: Decodable>(_ response: TransportResponse) throws -> Value {
        do {
            guard !LongMemberName.isIn(response.body) else {
                let context = DecodingError.Context(codingPath: [], debugDescription: "A member's name is too long.")
                throw DecodingError.dataCorrupted(context)
            }
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw APIError(.unreadableAnswer, status: response.head.status.code, underlying: error)
        }
    }
}
