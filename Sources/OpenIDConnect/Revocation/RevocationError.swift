import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a token was not taken back.
public struct RevocationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case notOffered
            case unreachable
            case serverFailed
            case refused
        }

        private let value: Value

        /// The provider has no such endpoint.
        public static let notOffered = Code(value: .notOffered)
        /// No answer came; trying later helps.
        public static let unreachable = Code(value: .unreachable)
        /// The provider failed, and the token still stands; trying later helps.
        public static let serverFailed = Code(value: .serverFailed)
        /// The provider refused: it can't take back such tokens, or not for this client.
        public static let refused = Code(value: .refused)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The provider's own code, where it gave one.
    public let oauthCode: OAuthErrorCode?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, oauthCode: OAuthErrorCode? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.oauthCode = oauthCode
        self.underlying = underlying
    }

    /// Whether the same may succeed later.
    public var retryHelps: Bool { code == .unreachable || code == .serverFailed }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence.
    public var description: String {
        switch code {
        case .notOffered: "The provider takes no tokens back."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed: "The provider failed to take the token back."
        default: "The provider refused to take the token back (\(oauthCode?.rawValue ?? "no reason given"))."
        }
    }
}

extension RevocationError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
