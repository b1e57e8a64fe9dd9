import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a provider's claims about the person were not had, or not taken.
public struct UserInfoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case notOffered
            case unreachable
            case serverFailed
            case unauthorized
            case refused
            case unreadable
            case missingSubject
            case subjectMismatch
            case invalidSignature
            case missingProofKey
        }

        private let value: Value

        /// The provider has no such endpoint.
        public static let notOffered = Code(value: .notOffered)
        /// No answer came; ``UserInfoError/underlying`` says why.
        public static let unreachable = Code(value: .unreachable)
        /// The provider failed.
        public static let serverFailed = Code(value: .serverFailed)
        /// The provider does not take the access token.
        public static let unauthorized = Code(value: .unauthorized)
        /// The provider refused.
        public static let refused = Code(value: .refused)
        /// The answer is no object of claims.
        public static let unreadable = Code(value: .unreadable)
        /// The answer does not say whom it is about.
        ///
        /// Refused as unsafe.
        public static let missingSubject = Code(value: .missingSubject)
        /// The answer is about somebody else.
        ///
        /// Refused as unsafe.
        public static let subjectMismatch = Code(value: .subjectMismatch)
        /// The answer is signed, and not by this provider for this client; ``UserInfoError/underlying`` says why.
        ///
        /// Refused as unsafe.
        public static let invalidSignature = Code(value: .invalidSignature)
        /// The access token is bound to a key, and the key was not given: nothing was sent.
        public static let missingProofKey = Code(value: .missingProofKey)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The provider's own code, if it gave one, in the response's challenge or in its body.
    ///
    /// Wire: `error`. [RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3).
    public let oauthCode: OAuthErrorCode?
    /// The answer's status, where one came.
    public let status: Int?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, oauthCode: OAuthErrorCode? = nil, status: Int? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.oauthCode = oauthCode
        self.status = status
        self.underlying = underlying
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    private var reason: String {
        (oauthCode?.rawValue ?? status.map { "status \($0)" }).map { " (\($0))" } ?? ""
    }

    /// One sentence.
    public var description: String {
        switch code {
        case .notOffered: "The provider has no endpoint for claims about the person."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed: "The provider failed\(status.map { " (status \($0))" } ?? "")."
        case .unauthorized: "The provider does not take the access token\(reason)."
        case .refused: "The provider refused to say who is signed in\(reason)."
        case .unreadable: "What the provider says of the person can't be read."
        case .missingSubject: "The provider does not say whom its claims are about."
        case .subjectMismatch: "The provider's claims are about somebody else."
        case .missingProofKey: "The access token is bound to a key (DPoP), and can't be sent without it."
        default: "What the provider says of the person is not signed as it must be."
        }
    }
}

extension UserInfoError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
