// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a text that is not a valid server address.
///
/// Contains no part of the text.
public struct BaseURLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason for the error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case malformed
            case unsupportedScheme
            case insecure
            case unexpectedPart
        }

        private let value: Value

        /// The text is not an absolute URL.
        public static let malformed = Code(value: .malformed)
        /// The scheme is neither https nor http.
        public static let unsupportedScheme = Code(value: .unsupportedScheme)
        /// The address is plain http and not loopback.
        public static let insecure = Code(value: .insecure)
        /// The text has a user, password, query, fragment or dot segment, which a server address must not have.
        public static let unexpectedPart = Code(value: .unexpectedPart)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The reason for the error.
    public let code: Code

    /// Creates an error.
    ///
    /// - Parameter code: The reason for the error.
    public init(_ code: Code) {
        self.code = code
    }

    /// A sentence that describes the error.
    public var description: String {
        switch code {
        case .unsupportedScheme: "A server's address must begin with https://."
        case .insecure: "Plain http is allowed only for a loopback address; use https."
        case .unexpectedPart: "A server's address must not contain a user, query, fragment or dot segment."
        default: "This is not a valid server address."
        }
    }
}

extension BaseURLError: LocalizedError {
    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }
}
