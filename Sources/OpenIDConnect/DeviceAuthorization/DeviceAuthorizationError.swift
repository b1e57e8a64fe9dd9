// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of the device authorization flow.
public struct DeviceAuthorizationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, CaseIterable {
            case unsupported
            case unreachable
            case refused
            case malformedResponse
            case invalidResponse
            case expired
            case cancelled
        }

        private let value: Value

        /// The provider has no device authorization endpoint.
        public static let unsupported = Code(value: .unsupported)
        /// The provider can't be reached or failed; ``DeviceAuthorizationError/underlying`` is the cause.
        public static let unreachable = Code(value: .unreachable)
        /// The provider refused the request; ``DeviceAuthorizationError/underlying`` is the ``TokenEndpointError``.
        public static let refused = Code(value: .refused)
        /// The response lacks a required member, or a member has the wrong type.
        public static let malformedResponse = Code(value: .malformedResponse)
        /// The response contains a URL or a code that must not be shown.
        ///
        /// Refused as unsafe.
        public static let invalidResponse = Code(value: .invalidResponse)
        /// The user did not type the code in time.
        public static let expired = Code(value: .expired)
        /// The user declined, which is not a failure.
        public static let cancelled = Code(value: .cancelled)

        /// All codes.
        package static var allCases: [Code] { Value.allCases.map(Code.init) }

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - underlying: The underlying error. A ``TokenEndpointError`` supplies ``oauthCode``.
    public init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    /// The provider's error code, if it sent one.
    ///
    /// Wire: `error`.
    public var oauthCode: OAuthErrorCode? { (underlying as? TokenEndpointError)?.oauthCode }

    /// Returns whether both errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .unsupported: "The provider doesn't support device authorization."
        case .unreachable: underlying.map { "\($0)" } ?? "The provider can't be reached."
        case .refused: underlying.map { "\($0)" } ?? "The provider refused the sign-in."
        case .malformedResponse: "The provider's response is malformed."
        case .invalidResponse: "The provider's response contains an unsafe URL or code."
        case .expired: "The code was not entered in time\(oauthCode.map { " (\($0))" } ?? "")."
        default: "The sign-in was cancelled\(oauthCode.map { " (\($0))" } ?? "")."
        }
    }
}

extension DeviceAuthorizationError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
