// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A JWT with a valid signature of the provider, and unchecked claims.
struct SignedToken: Sendable {
    let algorithm: SignatureAlgorithm
    let claims: UnverifiedClaims
}

/// The checks of a token's form, header and signature, made before its claims are read (RFC 8725, 3).
struct SignatureVerifier: Sendable {
    let keys: RemoteJWKSet
    let issuer: Issuer
    let algorithms: [SignatureAlgorithm]

    /// Checks an untrusted token, never with a key from the token itself (`jwk`, `jku`, `x5c`, `x5u`).
    func signed(_ compact: String) async throws -> SignedToken {
        let (token, algorithm) = try read(compact)
        try await keys.check(
            algorithm,
            id: token.header.keyID,
            isAllowed: { issuer.allowsKey(limitedTo: $0.issuer, for: token.claims) },
            isSigner: { JSONWebSignature.isValid(compact, by: $0, with: algorithm) }
        )
        return SignedToken(algorithm: algorithm, claims: token.claims)
    }

    /// Reads an untrusted token and checks only its header; returns the signature algorithm that it names, too.
    func read(_ compact: String) throws(IDTokenError) -> (token: UnverifiedJWT, algorithm: SignatureAlgorithm) {
        let token: UnverifiedJWT
        do {
            token = try UnverifiedJWT(compact)
        } catch {
            throw IDTokenError(.malformed, underlying: error)
        }
        guard let algorithm = SignatureAlgorithm(token.header.algorithm), algorithms.contains(algorithm) else {
            throw IDTokenError(.algorithmNotAllowed)
        }
        // RFC 7515, 4.1.11: an extension that is not understood MUST be refused.
        guard token.header.critical.isEmpty else { throw IDTokenError(.extensionNotUnderstood) }
        // RFC 8725, 3.11: an explicitly typed token, such as an access token or a logout token, is not an ID token.
        if let type = token.header.type, ASCIIText.equalIgnoringCase(type.utf8.suffix(4), "+jwt".utf8) {
            throw IDTokenError(.wrongType)
        }
        return (token, algorithm)
    }
}
