// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A validator of ID tokens: they must be the provider's, for this client and this sign-in, and currently valid.
///
/// The step numbers in the comments are those of
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation).
struct IDTokenValidator: Sendable {
    let issuer: Issuer
    let clientID: String
    let signature: SignatureVerifier
    let clockSkew: Duration
    let now: @Sendable () -> Date

    /// Validates a token from the token endpoint.
    func validate(_ idToken: IDToken, expecting expected: IDTokenExpectations) async throws -> VerifiedIDToken {
        // Steps 6 to 8: the signature is always checked, even though TLS authenticates the token endpoint.
        let signed = try await signature.signed(idToken.unredacted)
        try check(signed.claims, signedWith: signed.algorithm, expecting: expected)
        return VerifiedIDToken(idToken: idToken, claims: signed.claims)
    }

    /// Checks everything but the signature, whose algorithm's hash `at_hash` uses.
    func check(
        _ claims: UnverifiedClaims,
        signedWith algorithm: SignatureAlgorithm,
        expecting expected: IDTokenExpectations
    ) throws(IDTokenError) {
        // Step 2.
        guard claims.issuer != nil else { throw IDTokenError(.missingClaim, claim: "iss") }
        guard issuer.isNamed(by: claims) else { throw IDTokenError(.issuerMismatch) }
        try checkSubject(claims, expecting: expected)
        try checkAudience(claims)
        try checkTimes(claims, expecting: expected)
        try checkNonce(claims, expecting: expected)
        try checkAccessTokenHash(claims, algorithm, expecting: expected)
        try checkContinuity(claims, expecting: expected)
    }

    /// Checks that a token names no other issuer, user or client than the session's, as far as these are known.
    ///
    /// A missing claim, or one of another type, names no other: the tokens beside the ID token may still belong to this
    /// session. The claims need no verified signature.
    func checkNamesNoOther(
        _ claims: UnverifiedClaims,
        than subject: String?,
        _ previous: UnverifiedClaims?
    ) throws(IDTokenError) {
        if claims.issuer != nil, !issuer.isNamed(by: claims) { throw IDTokenError(.issuerMismatch) }
        try checkIssuerContinuity(claims, previous)
        if let said = claims.subject, let subject, !said.utf8.elementsEqual(subject.utf8) {
            throw IDTokenError(.subjectMismatch)
        }
        if !claims.audience.isEmpty, !claims.audience.contains(where: isThisClient) {
            throw IDTokenError(.audienceMismatch)
        }
        if let party = claims["azp"]?.string, !isThisClient(party) { throw IDTokenError(.authorizedPartyMismatch) }
    }

    /// Checks that the issuer stays the same after a refresh (Core, 12.2), for an issuer with several names.
    private func checkIssuerContinuity(_ claims: UnverifiedClaims, _ previous: UnverifiedClaims?) throws(IDTokenError) {
        guard issuer.profile.issuerRule == .tenant, let said = claims.issuer, let before = previous?.issuer else {
            return
        }
        guard said.utf8.elementsEqual(before.utf8) else { throw IDTokenError(.issuerMismatch) }
    }

    private func isThisClient(_ name: String) -> Bool { name.utf8.elementsEqual(clientID.utf8) }

    private func checkSubject(
        _ claims: UnverifiedClaims,
        expecting expected: IDTokenExpectations
    ) throws(IDTokenError) {
        guard let subject = claims.subject else { throw IDTokenError(.missingClaim, claim: "sub") }
        // Core, 2: MUST NOT exceed 255 ASCII characters.
        guard (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw IDTokenError(.invalidClaim, claim: "sub")
        }
        // Core, 12.2: MUST be the same as in the original authentication.
        guard expected.subject.map({ subject.utf8.elementsEqual($0.utf8) }) ?? true else {
            throw IDTokenError(.subjectMismatch)
        }
    }

    /// Checks that `nonce` and `auth_time` don't change: a refresh is not a new authentication (Core, 12.2).
    private func checkContinuity(
        _ claims: UnverifiedClaims,
        expecting expected: IDTokenExpectations
    ) throws(IDTokenError) {
        guard let previous = expected.previous else { return }
        try checkIssuerContinuity(claims, previous)
        if let nonce = claims.given("nonce"), let before = previous.given("nonce"), nonce != before {
            throw IDTokenError(.nonceMismatch)
        }
        if let time = claims.given("auth_time"), let before = previous.given("auth_time"),
            time.number != before.number
        {
            throw IDTokenError(.invalidClaim, claim: "auth_time")
        }
    }

    /// Checks `aud` and `azp` (steps 3 to 5).
    private func checkAudience(_ claims: UnverifiedClaims) throws(IDTokenError) {
        let audience = claims.audience
        guard !audience.isEmpty else { throw IDTokenError(.missingClaim, claim: "aud") }
        guard audience.contains(where: isThisClient) else {
            throw IDTokenError(.audienceMismatch)
        }
        guard let party = claims.given("azp") else {
            if audience.count > 1 { throw IDTokenError(.authorizedPartyMismatch) }
            return
        }
        guard let party = party.string, isThisClient(party) else {
            throw IDTokenError(.authorizedPartyMismatch)
        }
    }

    /// Checks the times (steps 9, 10 and 13) by the provider's clock, as far as it is known.
    private func checkTimes(_ claims: UnverifiedClaims, expecting expected: IDTokenExpectations) throws(IDTokenError) {
        let now = expected.date ?? now().addingTimeInterval(expected.offset.duration.timeInterval)
        let skew = max(0, clockSkew.timeInterval)
        guard let expiration = claims.expiration else { throw IDTokenError(.missingClaim, claim: "exp") }
        guard now.timeIntervalSince(expiration) < skew else { throw IDTokenError(.expired) }
        guard let issuedAt = claims.issuedAt else { throw IDTokenError(.missingClaim, claim: "iat") }
        guard issuedAt.timeIntervalSince(now) <= skew else { throw IDTokenError(.issuedInTheFuture) }
        if let notBefore = claims.notBefore, notBefore.timeIntervalSince(now) > skew {
            throw IDTokenError(.notYetValid)
        }
        guard let maximumAge = expected.maximumAge else { return }
        // Core, 2: REQUIRED if the request contained max_age.
        guard let said = claims["auth_time"] else { throw IDTokenError(.missingClaim, claim: "auth_time") }
        guard let seconds = said.number, seconds.isFinite else { throw IDTokenError(.invalidClaim, claim: "auth_time") }
        let age = now.timeIntervalSince1970 - seconds
        guard age >= -skew else { throw IDTokenError(.invalidClaim, claim: "auth_time") }
        guard age <= maximumAge.timeInterval + skew else { throw IDTokenError(.authenticationTooOld) }
    }

    /// Checks the nonce (step 11).
    private func checkNonce(_ claims: UnverifiedClaims, expecting expected: IDTokenExpectations) throws(IDTokenError) {
        guard let nonce = expected.nonce else { return }
        guard let said = claims.given("nonce") else { throw IDTokenError(.missingClaim, claim: "nonce") }
        guard let said = said.string, ConstantTime.equal(Array(said.utf8), Array(nonce.utf8)) else {
            throw IDTokenError(.nonceMismatch)
        }
    }

    /// Checks `at_hash`, which must match the access token if it is present (Core, 3.1.3.8).
    private func checkAccessTokenHash(
        _ claims: UnverifiedClaims,
        _ algorithm: SignatureAlgorithm,
        expecting expected: IDTokenExpectations
    ) throws(IDTokenError) {
        guard let said = claims.given("at_hash"), let token = expected.accessToken else { return }
        guard let said = said.string else { throw IDTokenError(.invalidClaim, claim: "at_hash") }
        let hash = TokenHash.of(token.unredacted, with: algorithm)
        guard ConstantTime.equal(Array(said.utf8), Array(hash.utf8)) else {
            throw IDTokenError(.accessTokenHashMismatch)
        }
    }
}

extension UnverifiedClaims {
    /// Returns a claim; nil if it is missing or null, which many providers write for a missing value.
    fileprivate func given(_ name: String) -> JSONValue? {
        self[name].flatMap { $0 == .null ? nil : $0 }
    }
}

/// The expected content of an ID token, beyond issuer and audience.
struct IDTokenExpectations: Sendable {
    /// The `nonce` of the authorization request; nil if the browser carried no request.
    var nonce: String?
    /// The access token that `at_hash` must match, if the ID token has one.
    var accessToken: AccessToken?
    /// The requested maximum time since the user authenticated.
    var maximumAge: Duration?
    /// The provider's clock minus this device's.
    var offset = ClockOffset.zero
    /// The moment of the provider's clock at which the ID token must be valid; nil for now.
    var date: Date?
    /// The user of the session, for a refresh; nil for a sign-in.
    var subject: String?
    /// The claims of the session's previous ID token, for a refresh; nil if there is no such token.
    var previous: UnverifiedClaims?
    /// Whether the tokens may share a grant with a session's; if so, they are not revoked if the ID token is rejected.
    var mayShareGrant = false
}

/// An ID token whose signature and claims were verified; only this module creates one.
public struct VerifiedIDToken: Sendable {
    /// The token as received; secret: it is stored, and sent to the provider at sign-out.
    public let idToken: IDToken
    /// The claims, which are as trusted as the provider.
    public let claims: UnverifiedClaims

    /// The provider's identifier of the user, which never changes and is never reassigned: `sub`.
    public var subject: String { claims.subject ?? "" }

    init(idToken: IDToken, claims: UnverifiedClaims) {
        self.idToken = idToken
        self.claims = claims
    }
}

/// The left half of a hash, base64url-encoded, by which an ID token refers to another value: `at_hash` (Core, 3.1.3.6).
enum TokenHash {
    static func of(_ text: String, with algorithm: SignatureAlgorithm) -> String {
        let data = Data(text.utf8)
        let hash: [UInt8] =
            switch algorithm.hash {
            case .sha256: Array(SHA256.hash(data: data))
            case .sha384: Array(SHA384.hash(data: data))
            case .sha512: Array(SHA512.hash(data: data))
            }
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }
}
