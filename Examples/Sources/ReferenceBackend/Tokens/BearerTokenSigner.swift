// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import ResourceServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The signer and verifier of one audience's tokens, with HS256 and a key of their own.
struct BearerTokenSigner: Sendable {
    /// The audience of the tokens.
    enum Audience: String, Sendable {
        /// Contract A.
        case session
        /// Contract B.
        case access
    }

    let audience: Audience
    private let key: SymmetricKey

    init(audience: Audience, serverKeys: ServerKeys) {
        self.audience = audience
        key = serverKeys.key(for: "\(audience.rawValue) token")
    }

    /// Returns the signed token.
    func sign(_ claims: BearerClaims) throws -> String { try SigningKey.hmac(key).sign(claims) }

    /// Returns the claims of a token with a valid signature, issuer and audience; the caller checks its time.
    ///
    /// - Returns: Nil if the token is invalid.
    func claims(of token: String) -> BearerClaims? {
        guard let jws = CompactJWS(token), jws.header.alg == "HS256",
            HMAC<SHA256>.isValidAuthenticationCode(jws.signature, authenticating: jws.signingInput, using: key),
            let claims = try? JSONDecoder().decode(BearerClaims.self, from: jws.payload),
            claims.iss == BearerClaims.issuer, claims.aud == audience.rawValue
        else { return nil }
        return claims
    }
}
