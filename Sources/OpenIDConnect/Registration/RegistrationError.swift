// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of registering an app as a client.
public struct RegistrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unsupported
            case unreachable
            case refused
            case malformedResponse
        }

        private let value: Value

        /// The provider has no registration endpoint.
        public static let unsupported = Code(value: .unsupported)
        /// The provider can't be reached or failed.
        public static let unreachable = Code(value: .unreachable)
        /// The provider refused; ``RegistrationError/underlying`` is the ``TokenEndpointError``.
        public static let refused = Code(value: .refused)
        /// The response has no client ID, or requires an authentication method that is not supported.
        public static let malformedResponse = Code(value: .malformedResponse)

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
    ///   - underlying: The underlying error.
    public init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    /// Returns whether both errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .unsupported: "The provider doesn't support dynamic client registration."
        case .unreachable, .refused: underlying.map { "\($0)" } ?? "The provider did not register the app."
        default: "The provider's registration response can't be used."
        }
    }
}

extension RegistrationError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
