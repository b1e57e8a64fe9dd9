import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads what a server says of a failure, whatever shape it has.
enum FailureAnswer {
    /// The first-party shape, `{"error": {"code", "message"}}`.
    private struct FirstParty: Decodable {
        struct Fault: Decodable {
            let code: String?
            let message: String?
        }

        let error: Fault
    }

    /// OAuth's shape.
    ///
    /// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
    private struct OAuth: Decodable {
        let error: String
        let error_description: String?
    }

    /// A body longer than this says nothing of a failure that anyone would read.
    static let maximumBody = 65_536

    /// The error that an answer is.
    ///
    /// - Parameters:
    ///   - response: The answer; of a long body the beginning is enough.
    ///   - ending: What the call knows beyond the status.
    ///   - attempts: The sendings before this one.
    ///   - now: What this device's clock shows.
    /// - Returns: The error.
    static func error(
        for response: TransportResponse,
        _ ending: Ending,
        attempts: [Attempt],
        now: Date
    ) -> APIError {
        let said = sayings(of: response.body)
        return APIError(
            ending.code ?? code(forStatus: response.head.status.code),
            status: response.head.status.code,
            serverCode: said.code.flatMap { DisplayText.clean($0, limit: 64) }.map(ServerErrorCode.init(rawValue:)),
            serverMessage: said.message.flatMap { DisplayText.clean($0, limit: 300) },
            retryAfter: RetryAfter.duration(in: response.head.headerFields, now: now),
            requiredScope: ending.scope,
            body: FailureBody(response.body),
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
        default: .unreadableAnswer
        }
    }

    private static func sayings(of body: [UInt8]) -> (code: String?, message: String?) {
        guard body.count <= maximumBody else { return (nil, nil) }
        let data = Data(body)
        // A body of neither shape is no fault of its own: the status has said what matters.
        if let answer = try? JSONDecoder().decode(FirstParty.self, from: data) {
            return (answer.error.code, answer.error.message)
        }
        if let answer = try? JSONDecoder().decode(OAuth.self, from: data) {
            return (answer.error, answer.error_description)
        }
        return (nil, nil)
    }
}
