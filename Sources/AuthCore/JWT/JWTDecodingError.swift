// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason for which a text can't be decoded as a JWT.
///
/// The error contains nothing of the token except the name of a registered member.
public struct JWTDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case tooLong
            case malformed
            case encrypted
            case invalidJSON
            case invalidMember
            case claimsMismatch
        }

        private let value: Value

        /// The token exceeds 65,536 bytes, nests lists and objects more than 16 levels deep, or has a member's name of
        /// more than 256 bytes that has escapes or is not ASCII.
        public static let tooLong = Code(value: .tooLong)
        /// The text does not have three parts of base64url without padding, separated by dots (RFC 7515, 2 and 7.1).
        public static let malformed = Code(value: .malformed)
        /// The text has five parts: an encrypted token (JWE; RFC 7516, 3), which is not supported.
        public static let encrypted = Code(value: .encrypted)
        /// The header or the payload is not a JSON object in UTF-8 (RFC 8259) whose members have unique names
        /// (RFC 7515, 4; RFC 7519, 4), or contains an ambiguous value.
        ///
        /// A lone surrogate, and a number that a double can't represent, mean different things to different readers.
        public static let invalidJSON = Code(value: .invalidJSON)
        /// A registered member has the wrong type or is out of range, or the header has no `alg` (RFC 7515, 4.1.1);
        /// ``JWTDecodingError/member`` names it.
        public static let invalidMember = Code(value: .invalidMember)
        /// The claims do not have the shape that the caller requested.
        public static let claimsMismatch = Code(value: .claimsMismatch)

        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// The wire name of the member that caused the error; nil if no single member did.
    public let member: String?

    /// Creates an error.
    ///
    /// The member is shown, so it must not be secret.
    package init(_ code: Code, member: String? = nil) {
        self.code = code
        self.member = member
    }

    /// Compares the codes only.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that contains nothing of the token.
    public var description: String {
        switch code {
        case .tooLong: "The token, or a name in it, is too long, or the token is nested too deeply."
        case .malformed: "This is not a JWT: it is not three parts of base64url separated by dots."
        case .encrypted: "This is an encrypted token (JWE); only signed tokens can be read."
        case .invalidJSON: "The token's header or payload is not a JSON object with unique names."
        case .claimsMismatch: "The token's claims do not have the expected shape."
        default: "The token lacks a member, or has an invalid one: \(member ?? "unknown")."
        }
    }
}

extension JWTDecodingError: LocalizedError {
    public var errorDescription: String? { description }
}
