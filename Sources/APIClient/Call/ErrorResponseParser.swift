// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of error responses of any shape.
enum ErrorResponseParser {
    /// The longest body that is read, in bytes: a longer one is no error message.
    static let maximumBody = 65_536

    /// Returns the error for a response.
    ///
    /// - Parameters:
    ///   - response: The response. The beginning of a long body is enough.
    ///   - outcome: The facts about it beyond the status.
    ///   - attempts: The attempts before this one.
    ///   - now: The time of this device's clock.
    /// - Returns: The error.
    static func error(
        for response: TransportResponse,
        _ outcome: FinalOutcome,
        attempts: [APIError.Attempt],
        now: Date
    ) -> APIError {
        let status = response.head.status.code
        // A 5xx body is meant for the server's operators, and may hold anything.
        let said: (code: String?, message: String?) = status < 500 ? errorMembers(of: response.body) : (nil, nil)
        let echoes = EchoFilter(outcome.secrets)
        return APIError(
            outcome.code ?? code(forStatus: status),
            status: status,
            serverCode: said.code.flatMap { DisplayText.code($0, known: ServerErrorCode.known, hiding: echoes) },
            serverMessage: said.message.flatMap { DisplayText.clean($0, limit: 300, hiding: echoes) },
            retryAfter: RetryAfter.duration(in: response.head.headerFields, now: now),
            requiredScope: outcome.scope.map { echoes.passed($0.description) == nil ? Scope("") : $0 },
            stepUp: outcome.stepUp?.hiding(outcome.secrets),
            body: ErrorBody(response.body),
            attempts: attempts
        )
    }

    private static func code(forStatus status: Int) -> APIError.Code {
        switch status {
        case 300..<400: .redirected
        case 401: .unauthorized
        case 403: .forbidden
        case 429: .rateLimited
        case 400..<500: .refused
        case 500...: .serverFailed
        default: .malformedResponse
        }
    }

    /// Reads the code and message from the first-party shape, `{"error": {"code", "message"}}`, or OAuth's
    /// ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    private static func errorMembers(of body: [UInt8]) -> (code: String?, message: String?) {
        // A body of another shape adds nothing to the error: the status is enough.
        guard body.count <= maximumBody, let document = try? JSONValue.object(in: withoutMark(body)) else {
            return (nil, nil)
        }
        switch document["error"] {
        case .object(let error): return (error["code"]?.string, error["message"]?.string)
        case .string(let code): return (code, document["error_description"]?.string)
        default: return (nil, nil)
        }
    }

    /// Returns a body without a byte order mark, which the decoder of values ignores too.
    ///
    /// [RFC 8259, 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1).
    private static func withoutMark(_ body: [UInt8]) -> [UInt8] {
        body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
    }
}

extension APIClient {
    /// Returns the error for a final response.
    func failure(_ response: TransportResponse, _ outcome: FinalOutcome, attempts: [APIError.Attempt]) -> APIError {
        ErrorResponseParser.error(for: response, outcome, attempts: attempts, now: context.now())
    }
}
