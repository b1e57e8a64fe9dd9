import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an ID token, or another answer that a provider signed, was refused.
///
/// Names what was wrong, and holds nothing of what the token says.
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation).
public struct IDTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case missing
            case malformed
            case algorithmNotAllowed
            case extensionNotUnderstood
            case wrongType
            case keysUnavailable
            case unknownKey
            case ambiguousKey
            case invalidSignature
            case missingClaim
            case invalidClaim
            case issuerMismatch
            case subjectMismatch
            case audienceMismatch
            case authorizedPartyMismatch
            case expired
            case notYetValid
            case issuedInTheFuture
            case nonceMismatch
            case accessTokenHashMismatch
            case authenticationTooOld
        }

        private let value: Value

        /// There is none where the specification says that there must be one.
        public static let missing = Code(value: .missing)
        /// It is no signed JWT; ``IDTokenError/underlying`` says where.
        public static let malformed = Code(value: .malformed)
        /// It is signed with an algorithm that is not allowed: `none` or HMAC, or one that the provider does not name.
        public static let algorithmNotAllowed = Code(value: .algorithmNotAllowed)
        /// Its header asks for an extension, `crit`, and none is understood here.
        public static let extensionNotUnderstood = Code(value: .extensionNotUnderstood)
        /// It says that it is another kind of token.
        public static let wrongType = Code(value: .wrongType)
        /// The provider's keys can't be had now, which says nothing of the token; trying later helps.
        public static let keysUnavailable = Code(value: .keysUnavailable)
        /// None of the provider's keys may have signed it.
        public static let unknownKey = Code(value: .unknownKey)
        /// It does not say which of several keys has signed it.
        public static let ambiguousKey = Code(value: .ambiguousKey)
        /// The signature is not the key's.
        public static let invalidSignature = Code(value: .invalidSignature)
        /// A claim lacks; ``IDTokenError/claim`` names it.
        public static let missingClaim = Code(value: .missingClaim)
        /// A claim has no value that it may have; ``IDTokenError/claim`` names it.
        public static let invalidClaim = Code(value: .invalidClaim)
        /// `iss` names another issuer.
        public static let issuerMismatch = Code(value: .issuerMismatch)
        /// `sub` names another person than it did before.
        public static let subjectMismatch = Code(value: .subjectMismatch)
        /// `aud` does not name this client.
        public static let audienceMismatch = Code(value: .audienceMismatch)
        /// `azp` names another client, or lacks where there are several audiences.
        public static let authorizedPartyMismatch = Code(value: .authorizedPartyMismatch)
        /// `exp` has passed.
        public static let expired = Code(value: .expired)
        /// `nbf` has not come.
        public static let notYetValid = Code(value: .notYetValid)
        /// `iat` lies ahead.
        public static let issuedInTheFuture = Code(value: .issuedInTheFuture)
        /// `nonce` is another one than this sign-in's.
        public static let nonceMismatch = Code(value: .nonceMismatch)
        /// `at_hash` is of another access token.
        public static let accessTokenHashMismatch = Code(value: .accessTokenHashMismatch)
        /// The person authenticated longer ago than `max_age` allows.
        public static let authenticationTooOld = Code(value: .authenticationTooOld)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let code: Code
    /// The wire name of the claim to blame, where one is.
    public let claim: String?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, claim: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.claim = claim
        self.underlying = underlying
    }

    /// Equal by code and claim.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.claim == right.claim }

    /// One sentence.
    public var description: String {
        switch code {
        case .missing: "The provider's answer lacks the ID token."
        case .malformed: "The provider's ID token can't be read."
        case .algorithmNotAllowed: "The provider's ID token is signed in a way that is not allowed."
        case .extensionNotUnderstood: "The provider's ID token asks for an extension that is not understood."
        case .wrongType: "The provider's token is not an ID token."
        case .keysUnavailable: "The provider's keys can't be had."
        case .unknownKey: "The provider's ID token is signed with a key that the provider does not publish."
        case .ambiguousKey: "The provider's ID token does not say which key it is signed with."
        case .invalidSignature: "The signature of the provider's ID token is wrong."
        case .missingClaim: "The provider's ID token lacks \(claim ?? "a claim")."
        case .invalidClaim: "The provider's ID token has a wrong \(claim ?? "claim")."
        case .issuerMismatch: "The provider's ID token names another issuer."
        case .subjectMismatch: "The provider's answer names another person."
        case .audienceMismatch: "The provider's ID token is for another app."
        case .authorizedPartyMismatch: "The provider's ID token was issued to another app."
        case .expired: "The provider's ID token has expired."
        case .notYetValid: "The provider's ID token is not valid yet."
        case .issuedInTheFuture: "The provider's ID token was issued in the future; one of the two clocks is wrong."
        case .nonceMismatch: "The provider's ID token is of another sign-in."
        case .accessTokenHashMismatch: "The provider's ID token is of another access token."
        default: "The person signed in at the provider longer ago than was asked for."
        }
    }
}

extension IDTokenError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
