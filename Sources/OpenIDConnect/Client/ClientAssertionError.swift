// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of a ``ClientAssertionKey`` or an ``IdentityTokenSource``.
///
/// Its description holds nothing of the key or the token.
public struct ClientAssertionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unreadableKey
            case keyTooShort
            case algorithmMismatch
            case keyUnavailable
            case signingFailed
            case identityTokenUnreadable
            case identityTokenMalformed
        }

        private let value: Value

        /// The text is not an unencrypted private key in PEM, for P-256 or RSA.
        public static let unreadableKey = Code(value: .unreadableKey)
        /// The RSA key has fewer than 2048 bits.
        public static let keyTooShort = Code(value: .keyTooShort)
        /// The key can't sign with the algorithm.
        public static let algorithmMismatch = Code(value: .algorithmMismatch)
        /// The app signs or provides identity tokens, and the stored session was opened without the app's function.
        public static let keyUnavailable = Code(value: .keyUnavailable)
        /// The assertion was not signed, or not within the timeout of a request; ``ClientAssertionError/underlying`` is
        /// the signer's error, if any.
        public static let signingFailed = Code(value: .signingFailed)
        /// The identity token can't be read, or not within the timeout of a request, or the file is not a regular one
        /// of at most 64 KiB; ``ClientAssertionError/underlying`` is the error of the system or of the app's function,
        /// if any.
        public static let identityTokenUnreadable = Code(value: .identityTokenUnreadable)
        /// The identity token is not a signed JWT in the compact form.
        public static let identityTokenMalformed = Code(value: .identityTokenMalformed)

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
        case .unreadableKey: "The private key can't be read. It must be unencrypted PEM, for P-256 or RSA."
        case .keyTooShort: "The private key is too short. An RSA key must have at least 2048 bits."
        case .algorithmMismatch: "The private key can't sign with the requested algorithm."
        case .keyUnavailable: "The client's private key or identity token is not stored with the session."
        case .identityTokenUnreadable:
            "The identity token can't be read in time. A file must be a regular one of at most 64 KiB."
        case .identityTokenMalformed: "The identity token is not a signed JWT in the compact form."
        default: "The client assertion could not be signed."
        }
    }
}

extension ClientAssertionError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
