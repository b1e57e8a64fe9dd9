// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import HTTPTypes
internal import ResourceServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A verifier of identity tokens, as specified by step 4 of "Sign in with Apple" in contract A.
struct IdentityTokenVerifier: Sendable {
    /// A trusted issuer and its key set.
    struct Trusted: Sendable {
        let issuer: IdentityTokenIssuer
        let keys: RemoteJWKSet
    }

    let trusted: [Trusted]
    let audiences: Set<String>
    let now: @Sendable () -> Date

    static let refused = APIFailure(.unauthorized, "invalid_identity_token", "The identity token is not valid.")
    static let unavailable = APIFailure(
        .serviceUnavailable,
        "identity_provider_unavailable",
        "Sign-in is not available right now. Try again."
    )
    static let nonceMismatch = APIFailure(
        .unauthorized,
        "nonce_mismatch",
        "The identity token belongs to another sign-in."
    )

    /// The issuer names under which accounts are stored, Apple's first.
    var accountIssuers: [String] { trusted.map(\.issuer.accountIssuer) }

    /// Verifies a token's signature and every claim.
    ///
    /// - Parameters:
    ///   - token: The identity token.
    ///   - rawNonce: The nonce before hashing, from the client.
    /// - Returns: The identity that the token proves.
    /// - Throws: ``APIFailure`` (`invalid_identity_token`, `nonce_mismatch`, `invalid_request` for a malformed nonce,
    ///   `identity_provider_unavailable` if the key set is unavailable).
    func verify(_ token: String, rawNonce: String) async throws -> VerifiedIdentity {
        guard Self.isNonce(rawNonce) else {
            throw APIFailure.invalidRequest("The member 'nonce' must have 64 hexadecimal digits.")
        }
        return try await verify(token, hashedNonce: Self.hash(ofNonce: rawNonce))
    }

    /// Verifies a token's signature and every claim.
    ///
    /// - Parameters:
    ///   - token: The identity token.
    ///   - hashedNonce: The nonce that the token must have.
    /// - Returns: The identity that the token proves.
    /// - Throws: ``APIFailure`` (`invalid_identity_token`, `nonce_mismatch`, `identity_provider_unavailable` if the key
    ///   set is unavailable).
    func verify(_ token: String, hashedNonce: String) async throws -> VerifiedIdentity {
        // The server decides the algorithm, never the token: RS256 alone leaves no room for algorithm confusion.
        guard let jws = CompactJWS(token), jws.header.alg == "RS256", let kid = jws.header.kid, kid.utf8.count <= 256,
            let issuer = trustedIssuer(ofUnverified: jws)
        else { throw Self.refused }
        guard let key = try await Self.key(id: kid, in: issuer.keys), key.isValidSignature(of: jws),
            let claims = try? JSONDecoder().decode(IdentityTokenClaims.self, from: jws.payload)
        else { throw Self.refused }
        guard claims.iss == issuer.issuer.issuer, claims.aud.values.count == 1,
            let audience = claims.aud.values.first, audiences.contains(audience),
            claims.exp.isFinite, now().timeIntervalSince1970 < claims.exp,
            (1...255).contains(claims.sub.utf8.count), (claims.email?.utf8.count ?? 0) <= 320
        else { throw Self.refused }
        guard let nonce = claims.nonce, ConstantTime.equal(nonce, hashedNonce) else { throw Self.nonceMismatch }
        return VerifiedIdentity(
            issuer: issuer.issuer.accountIssuer,
            subject: claims.sub,
            audience: audience,
            email: claims.email_verified?.value == true ? claims.email : nil
        )
    }

    /// Returns the issuer whose key set to use; its claim is checked again after the signature.
    private func trustedIssuer(ofUnverified jws: CompactJWS) -> Trusted? {
        struct Claims: Decodable {
            let iss: String
        }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: jws.payload) else { return nil }
        return trusted.first { $0.issuer.issuer == claims.iss }
    }

    private static func key(id: String, in keys: RemoteJWKSet) async throws -> VerificationKey? {
        do {
            return try await keys.key(id: id)
        } catch {
            throw unavailable
        }
    }

    /// Returns whether a text is a raw nonce, or the hash of one: 64 hexadecimal digits.
    static func isNonce(_ text: String) -> Bool { text.utf8.count == 64 && text.utf8.allSatisfy(isHexDigit) }

    /// Returns the hash of a raw nonce, which the client gives to Apple.
    static func hash(ofNonce rawNonce: String) -> String { SHA256.hash(data: Data(rawNonce.utf8)).lowercaseHex }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
