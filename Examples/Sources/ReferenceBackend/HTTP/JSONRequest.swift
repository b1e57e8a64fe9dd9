// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOFoundationCompat
internal import ResourceServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The decoding of JSON request bodies, which are untrusted.
enum JSONRequest {
    /// The maximum size of a body, in bytes.
    static let largestBody = 64 * 1024

    /// Decodes a body.
    ///
    /// - Throws: ``APIFailure`` (`invalid_request`, 400: another content type, malformed JSON, a missing member or one
    ///   of another type; `request_too_large`, 413, also for too much text beyond ASCII).
    static func decode<Body: Decodable>(_ type: Body.Type, from request: Request) async throws -> Body {
        guard mediaType(of: request) == "application/json" else {
            throw APIFailure.invalidRequest("The content type must be application/json.")
        }
        let bytes = try await body(of: request)
        guard !TextLimit.isExceeded(by: bytes.readableBytesView) else { throw APIFailure.tooLarge }
        do {
            return try JSONDecoder().decode(type, from: Data(buffer: bytes))
        } catch let error as DecodingError {
            throw APIFailure.invalidRequest(message(for: error))
        }
    }

    /// Returns the whole body, if it is small enough.
    static func body(of request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: largestBody)
        } catch is NIOTooManyBytesError {
            throw APIFailure.tooLarge
        }
    }

    /// Returns the content type without parameters, in lower case.
    static func mediaType(of request: Request) -> String? {
        request.headers[.contentType]?
            .split(separator: ";").first?
            .trimmed.lowercased()
    }

    /// Refuses a text that is too short or too long, measured in UTF-8 bytes.
    static func check(_ text: String, isBetween least: Int, and most: Int, member: String) throws {
        guard (least...most).contains(text.utf8.count) else {
            throw APIFailure.invalidRequest("The member '\(member)' must have \(least) to \(most) bytes.")
        }
    }

    /// Returns a message that names the invalid member, never its value.
    private static func message(for error: DecodingError) -> String {
        func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        return switch error {
        case .keyNotFound(let key, let context):
            "The member '\(name(context.codingPath + [key]))' is missing."
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "The member '\(name(context.codingPath))' has the wrong type."
        default: "The body is not the JSON expected."
        }
    }
}
