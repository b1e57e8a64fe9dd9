import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads what a server says of a failure, whatever shape it has.
enum FailureAnswer {
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
        let status = response.head.status.code
        // What a server says that fails is for its own people, and may hold anything.
        let said: (code: String?, message: String?) = status < 500 ? sayings(of: response.body) : (nil, nil)
        let echoes = EchoFilter(ending.secrets)
        return APIError(
            ending.code ?? code(forStatus: status),
            status: status,
            serverCode: said.code.flatMap { DisplayText.clean($0, limit: 64, hiding: echoes) }
                .map(ServerErrorCode.init(rawValue:)),
            serverMessage: said.message.flatMap { DisplayText.clean($0, limit: 300, hiding: echoes) },
            retryAfter: RetryAfter.duration(in: response.head.headerFields, now: now),
            requiredScope: ending.scope.map { echoes.passed($0.description) == nil ? Scope("") : $0 },
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

    /// Reads the first-party shape, `{"error": {"code", "message"}}`, and OAuth's
    /// ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    private static func sayings(of body: [UInt8]) -> (code: String?, message: String?) {
        // A body of neither shape is no error of its own: the status has said what matters.
        guard body.count <= maximumBody, let document = JSONDocument(body) else { return (nil, nil) }
        switch document["error"] {
        case .object(let error): return (error["code"]?.string, error["message"]?.string)
        case .string(let code): return (code, document["error_description"]?.string)
        default: return (nil, nil)
        }
    }
}
