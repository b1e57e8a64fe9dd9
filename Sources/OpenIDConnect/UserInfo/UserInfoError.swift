// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of requesting or checking a provider's claims about the user.
public struct UserInfoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unsupported
            case unreachable
            case serverFailed
            case unauthorized
            case otherAudience
            case refused
            case malformedResponse
            case missingSubject
            case subjectMismatch
            case invalidSignature
            case missingDPoPKey
        }

        private let value: Value

        /// The provider has no userinfo endpoint.
        public static let unsupported = Code(value: .unsupported)
        /// No response or no signing key came; ``UserInfoError/underlying`` is the cause.
        public static let unreachable = Code(value: .unreachable)
        /// The provider failed.
        public static let serverFailed = Code(value: .serverFailed)
        /// The provider rejected the access token.
        public static let unauthorized = Code(value: .unauthorized)
        /// The access token is for another API; a new one would be rejected too.
        public static let otherAudience = Code(value: .otherAudience)
        /// The provider refused.
        public static let refused = Code(value: .refused)
        /// The response is not an object of claims.
        public static let malformedResponse = Code(value: .malformedResponse)
        /// The response lacks a valid `sub`.
        ///
        /// Refused as unsafe.
        public static let missingSubject = Code(value: .missingSubject)
        /// The response is about another user.
        ///
        /// Refused as unsafe.
        public static let subjectMismatch = Code(value: .subjectMismatch)
        /// The response is signed, but not by this provider for this client; ``UserInfoError/underlying`` is the cause.
        ///
        /// Refused as unsafe.
        public static let invalidSignature = Code(value: .invalidSignature)
        /// The access token is bound to a key that the caller did not supply; nothing was sent.
        public static let missingDPoPKey = Code(value: .missingDPoPKey)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The provider's error code, if it sent one in the response's challenge or body.
    ///
    /// Wire: `error`. [RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3).
    public let oauthCode: OAuthErrorCode?
    /// The response's status, if one came.
    public let status: Int?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - oauthCode: The provider's error code, sanitized and limited in length. Shown: must hold no secret.
    ///   - status: The response's status.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code,
        oauthCode: OAuthErrorCode? = nil,
        status: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.oauthCode = oauthCode
        self.status = status
        self.underlying = underlying
    }

    /// Returns whether both errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    private var reason: String {
        (oauthCode?.rawValue ?? status.map { "status \($0)" }).map { " (\($0))" } ?? ""
    }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .unsupported: "The provider has no userinfo endpoint."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed: "The provider failed\(status.map { " (status \($0))" } ?? "")."
        case .unauthorized: "The provider rejected the access token\(reason)."
        case .otherAudience: "The access token is for another API, so the provider's userinfo endpoint rejects it."
        case .refused: "The provider refused the userinfo request\(reason)."
        case .malformedResponse: "The userinfo response is malformed."
        case .missingSubject: "The userinfo response lacks a subject."
        case .subjectMismatch: "The userinfo response is about another user."
        case .missingDPoPKey: "The access token is bound to a key (DPoP), and can't be sent without it."
        default: "The userinfo response is not signed as required."
        }
    }
}

extension UserInfoError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
