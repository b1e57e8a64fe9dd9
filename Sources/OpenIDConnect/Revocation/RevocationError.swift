// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of revoking a token.
public struct RevocationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unsupported
            case unreachable
            case serverFailed
            case refused
        }

        private let value: Value

        /// The provider has no revocation endpoint.
        public static let unsupported = Code(value: .unsupported)
        /// No response came; retrying may help.
        public static let unreachable = Code(value: .unreachable)
        /// The provider failed and the token remains valid; retrying may help.
        public static let serverFailed = Code(value: .serverFailed)
        /// The provider refused: it can't revoke tokens of this kind, or not for this client.
        public static let refused = Code(value: .refused)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The provider's error code, if it sent one; nil with `refused` if it refused without a reason.
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

    /// Whether the same request may succeed later.
    public var isRetryable: Bool { code == .unreachable || code == .serverFailed }

    /// Returns whether both errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .unsupported: "The provider doesn't support token revocation."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .serverFailed: "The provider failed to revoke the token."
        default:
            "The provider refused to revoke the token (\(oauthCode?.rawValue ?? status.map { "status \($0)" } ?? "no reason given"))."
        }
    }
}

extension RevocationError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
