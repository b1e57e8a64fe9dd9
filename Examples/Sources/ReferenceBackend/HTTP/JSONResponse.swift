// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The encoding of JSON responses.
enum JSONResponse {
    /// Returns a response with a JSON body that caches don't store.
    ///
    /// Members are sorted, so that equal responses have equal bytes.
    /// [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    static func make(_ body: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws
        -> Response
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(body)
        var fields = headers
        fields[.contentType] = "application/json; charset=utf-8"
        fields[.cacheControl] = "no-store"
        fields[.xContentTypeOptions] = "nosniff"
        return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// The body of every error response.
    private struct ErrorBody: Encodable {
        struct Details: Encodable {
            let code: String
            let message: String
        }

        let success = false
        let error: Details
    }

    /// Returns the error response of a failure.
    static func make(_ failure: APIFailure) -> Response {
        let body = ErrorBody(error: .init(code: failure.code, message: failure.message))
        let response = try? make(body, status: failure.status, headers: failure.headers)
        return response ?? Response(status: failure.status, headers: failure.headers)
    }
}
