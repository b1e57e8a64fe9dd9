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
            guard !LongMemberName.mayOccur(in: response.body) else {
                let reason = "The text is not UTF-8, or a member's name is too long."
                throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
            }
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw APIError(.malformedResponse, status: response.head.status.code, underlying: error)
        }
    }
}
