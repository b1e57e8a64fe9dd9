// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of validating an ID token or another token that a provider signed.
///
/// Names the failed check, and contains no value of the token.
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation).
public struct IDTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The failed check.
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

        /// The response lacks a required ID token.
        public static let missing = Code(value: .missing)
        /// The token is not a well-formed signed JWT; ``IDTokenError/underlying`` is the cause.
        public static let malformed = Code(value: .malformed)
        /// The signature algorithm is not allowed: `none`, HMAC, or one that the app or the provider doesn't list.
        public static let algorithmNotAllowed = Code(value: .algorithmNotAllowed)
        /// The header requires an extension in `crit`; none is supported.
        public static let extensionNotUnderstood = Code(value: .extensionNotUnderstood)
        /// The header's `typ` names another kind of token.
        public static let wrongType = Code(value: .wrongType)
        /// The provider's keys can't be fetched now, so the token was not judged; retrying may help.
        public static let keysUnavailable = Code(value: .keysUnavailable)
        /// The provider publishes no key that fits the token.
        public static let unknownKey = Code(value: .unknownKey)
        /// The token doesn't name its key, and several of the provider's keys fit.
        public static let ambiguousKey = Code(value: .ambiguousKey)
        /// The signature doesn't match the key.
        public static let invalidSignature = Code(value: .invalidSignature)
        /// A claim is missing; ``IDTokenError/claim`` names it.
        public static let missingClaim = Code(value: .missingClaim)
        /// A claim has an invalid value; ``IDTokenError/claim`` names it.
        public static let invalidClaim = Code(value: .invalidClaim)
        /// `iss` names another issuer.
        public static let issuerMismatch = Code(value: .issuerMismatch)
        /// `sub` names another user than before.
        public static let subjectMismatch = Code(value: .subjectMismatch)
        /// `aud` does not name this client.
        public static let audienceMismatch = Code(value: .audienceMismatch)
        /// `azp` names another client, or is missing although there are several audiences.
        public static let authorizedPartyMismatch = Code(value: .authorizedPartyMismatch)
        /// `exp` has passed.
        public static let expired = Code(value: .expired)
        /// `nbf` is in the future.
        public static let notYetValid = Code(value: .notYetValid)
        /// `iat` is in the future.
        public static let issuedInTheFuture = Code(value: .issuedInTheFuture)
        /// `nonce` differs from the nonce of this sign-in.
        public static let nonceMismatch = Code(value: .nonceMismatch)
        /// `at_hash` belongs to another access token.
        public static let accessTokenHashMismatch = Code(value: .accessTokenHashMismatch)
        /// The user authenticated longer ago than `max_age` allows.
        public static let authenticationTooOld = Code(value: .authenticationTooOld)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The failed check.
    public let code: Code
    /// The wire name of the missing or invalid claim, if any.
    public let claim: String?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The failed check.
    ///   - claim: The wire name of the missing or invalid claim, if any. Shown: must hold no secret.
    ///   - underlying: The underlying error.
    public init(_ code: Code, claim: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.claim = claim
        self.underlying = underlying
    }

    /// Returns whether both errors have the same code and claim.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.claim == right.claim }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .missing: "The provider's response lacks an ID token."
        case .malformed: "The provider's ID token is malformed."
        case .algorithmNotAllowed: "The provider's ID token uses a signature algorithm that is not allowed."
        case .extensionNotUnderstood: "The provider's ID token requires an unsupported extension."
        case .wrongType: "The provider's token is not an ID token."
        case .keysUnavailable: "The provider's keys can't be fetched."
        case .unknownKey: "The provider's ID token is signed with a key that the provider does not publish."
        case .ambiguousKey: "The provider's ID token does not name the key that signed it."
        case .invalidSignature: "The signature of the provider's ID token is invalid."
        case .missingClaim: "The provider's ID token lacks \(claim ?? "a claim")."
        case .invalidClaim: "The provider's ID token has an invalid \(claim ?? "claim")."
        case .issuerMismatch: "The provider's ID token names another issuer."
        case .subjectMismatch: "The provider's response names another user."
        case .audienceMismatch: "The provider's ID token is for another app."
        case .authorizedPartyMismatch: "The provider's ID token was issued to another app."
        case .expired: "The provider's ID token has expired."
        case .notYetValid: "The provider's ID token is not valid yet."
        case .issuedInTheFuture: "The provider's ID token was issued in the future; one of the clocks is wrong."
        case .nonceMismatch: "The provider's ID token belongs to another sign-in."
        case .accessTokenHashMismatch: "The provider's ID token belongs to another access token."
        default: "The user authenticated too long ago."
        }
    }
}

extension IDTokenError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
