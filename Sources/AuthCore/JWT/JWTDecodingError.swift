// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason for which a text can't be decoded as a JWT.
///
/// The error contains nothing of the token except the name of a member.
public struct JWTDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case tooLong
            case notThreeParts
            case encrypted
            case invalidBase64URL
            case invalidUTF8
            case invalidJSON
            case notAnObject
            case duplicateMember
            case tooDeep
            case missingAlgorithm
            case invalidMember
            case claimsMismatch
        }

        private let value: Value

        /// The token exceeds ``JWTLimits/maximumLength``, or a member's name exceeds 256 bytes.
        ///
        /// The limit on names applies to those with escapes or beyond ASCII.
        public static let tooLong = Code(value: .tooLong)
        /// The text does not have three parts separated by dots (RFC 7515, 7.1).
        public static let notThreeParts = Code(value: .notThreeParts)
        /// The text has five parts: an encrypted token (JWE; RFC 7516, 3), which is not supported.
        public static let encrypted = Code(value: .encrypted)
        /// A part is not base64url without padding (RFC 7515, 2).
        public static let invalidBase64URL = Code(value: .invalidBase64URL)
        /// The header or the payload is not UTF-8 (RFC 8259, 8.1).
        public static let invalidUTF8 = Code(value: .invalidUTF8)
        /// The header or the payload is not JSON (RFC 8259), or contains an ambiguous value.
        ///
        /// A lone surrogate, and a number that a double can't represent, mean different things to different readers.
        public static let invalidJSON = Code(value: .invalidJSON)
        /// The header or the payload is JSON, but not an object.
        public static let notAnObject = Code(value: .notAnObject)
        /// An object names a member twice (RFC 7515, 4; RFC 7519, 4).
        public static let duplicateMember = Code(value: .duplicateMember)
        /// Lists and objects are nested deeper than ``JWTLimits/maximumDepth``.
        public static let tooDeep = Code(value: .tooDeep)
        /// The header has no `alg` (RFC 7515, 4.1.1).
        public static let missingAlgorithm = Code(value: .missingAlgorithm)
        /// A registered member has the wrong type or is out of range; ``JWTDecodingError/member`` names it.
        public static let invalidMember = Code(value: .invalidMember)
        /// The claims do not have the shape that the caller requested.
        public static let claimsMismatch = Code(value: .claimsMismatch)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// A part of the compact form.
    public enum Part: String, Sendable, Hashable {
        /// The first part.
        case header
        /// The second part.
        case payload
        /// The third part.
        case signature
    }

    /// The kind of error.
    public let code: Code
    /// The part that caused the error; nil if no single part did.
    public let part: Part?
    /// The wire name of the member that caused the error; nil if no single member did.
    public let member: String?

    /// Creates an error, for decoders and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - part: The part that caused the error; nil if no single part did.
    ///   - member: The wire name of the member that caused the error; nil if no single member did. It is shown, so it
    ///     must not be secret.
    public init(_ code: Code, in part: Part? = nil, member: String? = nil) {
        self.code = code
        self.part = part
        self.member = member
    }

    init(fault: JSONError, in part: Part) {
        let code: Code =
            switch fault {
            case .syntax: .invalidJSON
            case .notAnObject: .notAnObject
            case .duplicateMember: .duplicateMember
            case .nameTooLong: .tooLong
            case .tooDeep: .tooDeep
            }
        self.init(code, in: part)
    }

    /// Compares the codes only.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence that contains nothing of the token.
    public var description: String {
        switch code {
        case .tooLong: return "The token, or a name in it, is too long."
        case .notThreeParts: return "This is not a JWT: it doesn't have three parts separated by dots."
        case .encrypted: return "This is an encrypted token (JWE); only signed tokens can be read."
        case .missingAlgorithm: return "The token's header has no algorithm (alg)."
        case .claimsMismatch: return "The token's claims do not have the expected shape."
        default: break
        }
        let place = part.map { "The token's \($0.rawValue)" } ?? "The token"
        switch code {
        case .invalidBase64URL: return "\(place) is not base64url without padding."
        case .invalidUTF8: return "\(place) is not UTF-8."
        case .invalidJSON: return "\(place) is not JSON."
        case .notAnObject: return "\(place) is not a JSON object."
        case .duplicateMember: return "\(place) has a duplicate member."
        case .tooDeep: return "\(place) nests lists and objects too deeply."
        default: return "\(place) has an invalid member: \(member ?? "unknown")."
        }
    }
}

extension JWTDecodingError: LocalizedError {
    /// The same sentence, for code that shows `localizedDescription`.
    public var errorDescription: String? { description }
}
