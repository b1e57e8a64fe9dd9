internal import Crypto
internal import HTTPTypes
internal import JWTKit

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Verifies identity tokens as step 4 of "Sign in with Apple" in contract A says.
struct IdentityTokenVerifier: Sendable {
    /// One issuer and its key set.
    struct Trusted: Sendable {
        let issuer: IdentityTokenIssuer
        let keys: KeySetCache
    }

    let trusted: [Trusted]
    let audiences: Set<String>
    let now: @Sendable () -> Date

    static let refused = APIFailure(.unauthorized, "invalid_identity_token", "The identity token is not valid.")
    static let nonceMismatch = APIFailure(
        .unauthorized,
        "nonce_mismatch",
        "The identity token was not made for this sign-in."
    )

    /// What the accounts of the trusted issuers are filed under, Apple's first.
    var accountIssuers: [String] { trusted.map(\.issuer.accountIssuer) }

    /// Checks a token's signature and every claim.
    ///
    /// - Parameters:
    ///   - token: The identity token.
    ///   - rawNonce: The nonce before it was hashed, as the client kept it.
    /// - Returns: The identity it proves.
    /// - Throws: ``APIFailure`` (`invalid_identity_token`, `nonce_mismatch`, `invalid_request` for a nonce of another
    ///   form, `identity_provider_unavailable` where the key set can't be had).
    func verify(_ token: String, rawNonce: String) async throws -> VerifiedIdentity {
        guard rawNonce.utf8.count == 64, rawNonce.utf8.allSatisfy(Self.isHexDigit) else {
            throw APIFailure.invalidRequest("The member 'nonce' must have 64 hexadecimal digits.")
        }
        // The algorithm is decided here, never by the token: with RS256 alone there is nothing to confuse.
        guard let header = JOSEHeader(token: token), header.alg == "RS256", header.crit == nil, let kid = header.kid,
            kid.utf8.count <= 256, let issuer = trustedIssuer(ofUnverified: token)
        else { throw Self.refused }
        guard let key = try await issuer.keys.key(id: kid) else { throw Self.refused }
        let claims = try await Self.claims(of: token, signedBy: key)
        guard claims.iss == issuer.issuer.issuer, claims.aud.value.count == 1,
            let audience = claims.aud.value.first, audiences.contains(audience),
            claims.exp.isFinite, now().timeIntervalSince1970 < claims.exp,
            (1...255).contains(claims.sub.utf8.count), (claims.email?.utf8.count ?? 0) <= 320
        else { throw Self.refused }
        let expected = SHA256.hash(data: Data(rawNonce.utf8)).lowercaseHex
        guard let nonce = claims.nonce, ConstantTime.equal(nonce, expected) else { throw Self.nonceMismatch }
        return VerifiedIdentity(
            issuer: issuer.issuer.accountIssuer,
            subject: claims.sub,
            audience: audience,
            email: claims.email
        )
    }

    /// Whose key set to look in; what the token claims here is checked again once it is verified.
    private func trustedIssuer(ofUnverified token: String) -> Trusted? {
        struct Claims: Decodable {
            let iss: String
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Data(base64URL: parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: bytes)
        else { return nil }
        return trusted.first { $0.issuer.issuer == claims.iss }
    }

    private static func claims(of token: String, signedBy key: IdentityKey) async throws -> IdentityTokenClaims {
        do {
            let rsa = try JWTKit.Insecure.RSA.PublicKey(modulus: key.modulus, exponent: key.exponent)
            // A collection of this one key, so that no other can be taken in its place.
            return try await JWTKeyCollection().add(rsa: rsa, digestAlgorithm: .sha256).verify(token)
        } catch {
            throw refused
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
