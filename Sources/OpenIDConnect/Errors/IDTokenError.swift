// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of validating an ID token or another token that a provider signed.
///
/// Names the failed check, and contains no value of the token.
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation).
public struct IDTokenError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The failed check.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The response lacks a required ID token.
        case missing
        /// The token is not a well-formed signed JWT; ``IDTokenError/underlying`` is the cause, if it is known.
        case malformed
        /// The signature algorithm is not allowed: `none`, HMAC, or one that the app or the provider doesn't list.
        case algorithmNotAllowed
        /// The header requires an extension in `crit`; none is supported.
        case extensionNotUnderstood
        /// The header's `typ` names another kind of token.
        case wrongType
        /// The provider's keys can't be fetched now, so the token was not judged; retrying may help.
        case keysUnavailable
        /// The provider publishes no key that fits the token.
        case unknownKey
        /// The provider's key for the token is malformed, too weak or of an unsupported type.
        case malformedKey
        /// The token doesn't name its key, and several of the provider's keys fit.
        case ambiguousKey
        /// The signature doesn't match the key.
        case invalidSignature
        /// A claim is missing; ``IDTokenError/claim`` names it.
        case missingClaim
        /// A claim has an invalid value; ``IDTokenError/claim`` names it.
        case invalidClaim
        /// `iss` names another issuer.
        case issuerMismatch
        /// `sub` names another user than before.
        case subjectMismatch
        /// `aud` does not name this client.
        case audienceMismatch
        /// `azp` names another client, or is missing although there are several audiences.
        case authorizedPartyMismatch
        /// `exp` has passed.
        case expired
        /// `nbf` is in the future.
        case notYetValid
        /// `iat` is in the future.
        case issuedInTheFuture
        /// `nonce` differs from the nonce of this sign-in.
        case nonceMismatch
        /// `at_hash` belongs to another access token.
        case accessTokenHashMismatch
        /// The user authenticated longer ago than `max_age` allows.
        case authenticationTooOld
    }

    /// The failed check.
    public let code: Code
    /// The wire name of the missing or invalid claim, if any.
    public let claim: String?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles; the claim's wire name is shown.
    public init(_ code: Code, claim: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.claim = claim
        self.underlying = underlying
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.claim == right.claim }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }

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
        case .malformedKey:
            "The provider's ID token can't be verified: the published key is malformed, too weak or unsupported."
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
        case .authenticationTooOld: "The user authenticated too long ago."
        }
    }
}
