#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a call did not give its value.
///
/// Holds the server's code and message, and no URL, header or body.
public struct APIError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unauthorized
            case forbidden
            case refused
            case rateLimited
            case serverFailed
            case redirected
            case unreadableAnswer
            case unreachable
            case invalidEndpoint
        }

        private let value: Value

        /// 401, also with a new token where one was to be had.
        ///
        /// The session is not ended by it.
        public static let unauthorized = Code(value: .unauthorized)
        /// 403: the person may not do this.
        ///
        /// A new token would not help.
        public static let forbidden = Code(value: .forbidden)
        /// Another 4xx: the server refuses this request as it is.
        public static let refused = Code(value: .refused)
        /// 429: too many requests.
        ///
        /// ``APIError/retryAfter`` says when to come again, where the server did.
        public static let rateLimited = Code(value: .rateLimited)
        /// 5xx: the server failed.
        ///
        /// Trying later may help.
        public static let serverFailed = Code(value: .serverFailed)
        /// 3xx: redirects are not followed, so that no credential follows them.
        public static let redirected = Code(value: .redirected)
        /// The answer is not what the endpoint promises: no JSON, or a member is missing.
        public static let unreadableAnswer = Code(value: .unreadableAnswer)
        /// No answer came; ``APIError/underlying`` is the ``TransportError``.
        public static let unreachable = Code(value: .unreachable)
        /// The endpoint's path is none that may be sent.
        public static let invalidEndpoint = Code(value: .invalidEndpoint)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The answer's status, where one came.
    public let status: Int?
    /// The server's own code for the fault, where it gave one.
    ///
    /// Its word, bounded and cleaned.
    public let serverCode: ServerErrorCode?
    /// The server's own sentence, where it gave one.
    ///
    /// Its word, bounded and cleaned; some are written for the person.
    public let serverMessage: String?
    /// How long the server asks to wait, where it said.
    public let retryAfter: Duration?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    /// Makes an error, for clients and their doubles.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - status: The answer's status.
    ///   - serverCode: The server's own code.
    ///   - serverMessage: The server's own sentence.
    ///   - retryAfter: How long the server asks to wait.
    ///   - underlying: The error underneath.
    public init(
        _ code: Code,
        status: Int? = nil,
        serverCode: ServerErrorCode? = nil,
        serverMessage: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.status = status
        self.serverCode = serverCode
        self.serverMessage = serverMessage
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The name, out of the caller's own type, of a member that the answer lacks.
    private var missingMember: String? {
        guard case .keyNotFound(let key, _)? = underlying as? DecodingError else { return nil }
        return "no member \(key.stringValue)"
    }

    /// One sentence.
    public var description: String {
        if code == .unreachable, let fault = underlying as? TransportError { return fault.description }
        let sentence =
            switch code {
            case .unauthorized: "The server does not take this sign-in"
            case .forbidden: "The server does not allow this"
            case .rateLimited: "The server asks to wait before the next request"
            case .serverFailed: "The server failed"
            case .redirected: "The server redirects to another address, which is not followed"
            case .unreadableAnswer: "The server's answer can't be read"
            case .invalidEndpoint: "A path begins with a slash and holds no query; a query goes beside it"
            case .unreachable: "The server can't be reached"
            default: "The server refused the request"
            }
        let details = [status.map { "status \($0)" }, serverCode?.rawValue, missingMember].compactMap { $0 }
        return details.isEmpty ? sentence + "." : "\(sentence) (\(details.joined(separator: ", ")))."
    }
}

/// A server's own code for a fault, `role_conflict` for one.
///
/// An open set: servers make up their own.
public struct ServerErrorCode: RawRepresentable, Sendable, Hashable {
    /// The code as on the wire.
    public let rawValue: String

    /// Wraps a code.
    ///
    /// - Parameter rawValue: The code as on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension APIError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
