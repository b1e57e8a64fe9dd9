// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoder of JSON responses.
enum JSONBody {
    @Sendable static func decode<Value: Decodable>(_ response: TransportResponse) throws -> Value {
        do {
            // `JSONDecoder` hashes names as characters: in quadratic time for long runs of combining marks.
            guard (try? JSONValue(parsing: ErrorResponseParser.withoutMark(response.body))) != nil else {
                let reason = "The text is not JSON in UTF-8, or is ambiguous."
                throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
            }
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw APIError(.malformedResponse, status: response.head.status.code, underlying: error)
        }
    }
}
