import APIClient
import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a token endpoint gave no tokens.
///
/// Holds the provider's code and sentence, cleaned, and nothing of what was sent.
public struct TokenEndpointError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unreachable
            case serverFailed
            case rateLimited
            case redirected
            case refused
            case unreadable
            case unsafeAnswer
            case invalidIDToken
        }

        private let value: Value

        /// No answer came; ``TokenEndpointError/underlying`` is the `APIError`.
        public static let unreachable = Code(value: .unreachable)
        /// The provider failed, with a status of 408 or from 500 on.
        public static let serverFailed = Code(value: .serverFailed)
        /// The provider asks to wait, with status 429.
        public static let rateLimited = Code(value: .rateLimited)
        /// The provider sent the request elsewhere, and it was not followed: a code or a token goes to one address.
        public static let redirected = Code(value: .redirected)
        /// The provider refused; ``TokenEndpointError/oauthCode`` is its code.
        public static let refused = Code(value: .refused)
        /// The answer is of no form that the specification knows.
        public static let unreadable = Code(value: .unreadable)
        /// The answer has a token that may not be used, or of a type that was not asked for.
        public static let unsafeAnswer = Code(value: .unsafeAnswer)
        /// The ID token was refused; ``TokenEndpointError/underlying`` is the ``IDTokenError``.
        public static let invalidIDToken = Code(value: .invalidIDToken)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The provider's own code, where it gave one.
    public let oauthCode: OAuthErrorCode?
    /// The provider's own sentence, where it gave one: its word, bounded and cleaned.
    public let oauthDescription: String?
    /// The answer's status, where one came.
    public let status: Int?
    /// How long the provider asks to wait, where it said.
    public let retryAfter: Duration?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(
        _ code: Code,
        _ refusal: OAuthRefusal? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        oauthCode = refusal?.code
        oauthDescription = refusal?.message
        self.status = status
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    /// Equal by code and the provider's code.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.oauthCode == right.oauthCode
    }

    /// One sentence.
    public var description: String {
        switch code {
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed: "The provider failed\(status.map { " (status \($0))" } ?? "")."
        case .rateLimited: "The provider asks to wait\(oauthCode.map { " (\($0))" } ?? "")."
        case .redirected: "The provider's token endpoint sent the request elsewhere, which is not followed."
        case .refused:
            "The provider refused (\(oauthCode?.rawValue ?? status.map { "status \($0)" } ?? "no reason given"))."
        case .unreadable: "The answer of the provider's token endpoint can't be read."
        case .unsafeAnswer: "The answer of the provider's token endpoint holds no token that may be used."
        default: underlying.map { "\($0)" } ?? "The provider's ID token was refused."
        }
    }
}

extension TokenEndpointError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
