#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a text is no JWT that can be read.
///
/// Holds nothing of the token but the name of a member.
public struct JWTDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was wrong.
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

        /// Longer than ``JWTLimits/maximumLength``; or a member's name, beyond ASCII or with escapes, than 256 bytes.
        public static let tooLong = Code(value: .tooLong)
        /// Not three parts with dots between (RFC 7515, 7.1).
        public static let notThreeParts = Code(value: .notThreeParts)
        /// Five parts: an encrypted token (JWE; RFC 7516, 3), which is not read here.
        public static let encrypted = Code(value: .encrypted)
        /// A part is not base64url without padding (RFC 7515, 2).
        public static let invalidBase64URL = Code(value: .invalidBase64URL)
        /// The header or the payload is not UTF-8 (RFC 8259, 8.1).
        public static let invalidUTF8 = Code(value: .invalidUTF8)
        /// The header or the payload is not JSON (RFC 8259), or holds what two readers of JSON take for two things.
        ///
        /// That is half a surrogate pair, and a number that no double holds.
        public static let invalidJSON = Code(value: .invalidJSON)
        /// The header or the payload is JSON, but no object.
        public static let notAnObject = Code(value: .notAnObject)
        /// An object names a member twice (RFC 7515, 4; RFC 7519, 4).
        public static let duplicateMember = Code(value: .duplicateMember)
        /// Lists and objects lie deeper in each other than ``JWTLimits/maximumDepth``.
        public static let tooDeep = Code(value: .tooDeep)
        /// The header has no `alg` (RFC 7515, 4.1.1).
        public static let missingAlgorithm = Code(value: .missingAlgorithm)
        /// A registered member has the wrong type or is out of range; ``JWTDecodingError/member`` names it.
        public static let invalidMember = Code(value: .invalidMember)
        /// The claims do not have the shape that the caller asked for.
        public static let claimsMismatch = Code(value: .claimsMismatch)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// A part of the compact form.
    public enum Part: String, Sendable, Hashable {
        /// The first.
        case header
        /// The second.
        case payload
        /// The third.
        case signature
    }

    /// What was wrong.
    public let code: Code
    /// Where it lies, where one part is to blame.
    public let part: Part?
    /// The wire name of the member to blame, where one is.
    public let member: String?

    init(_ code: Code, in part: Part? = nil, member: String? = nil) {
        self.code = code
        self.part = part
        self.member = member
    }

    init(fault: JSONFault, in part: Part) {
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

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence that holds nothing of the token.
    public var description: String {
        switch code {
        case .tooLong: return "The token, or a name in it, is longer than is taken."
        case .notThreeParts: return "A JWT has three parts with dots between; this has not."
        case .encrypted: return "This is an encrypted token (JWE); only signed ones can be read."
        case .missingAlgorithm: return "The token's header names no algorithm (alg)."
        case .claimsMismatch: return "The token's claims do not have the expected shape."
        default: break
        }
        let place = part.map { "The token's \($0.rawValue)" } ?? "The token"
        switch code {
        case .invalidBase64URL: return "\(place) is not base64url without padding."
        case .invalidUTF8: return "\(place) is not UTF-8."
        case .invalidJSON: return "\(place) is not JSON."
        case .notAnObject: return "\(place) is not a JSON object."
        case .duplicateMember: return "\(place) names a member twice."
        case .tooDeep: return "\(place) has lists and objects too deep in each other."
        default: return "\(place) has a member of the wrong kind: \(member ?? "unknown")."
        }
    }
}

extension JWTDecodingError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
