// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A JWT with a valid signature of the provider, and unchecked claims.
struct SignedToken: Sendable {
    let algorithm: SignatureAlgorithm
    let claims: UnverifiedClaims
}

/// The checks of a token's form, header and signature, made before its claims are read.
///
/// [RFC 7515, 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2),
/// [RFC 8725, 3](https://www.rfc-editor.org/rfc/rfc8725#section-3).
struct SignatureVerifier: Sendable {
    let keys: RemoteJWKSet
    let issuer: Issuer
    let algorithms: [SignatureAlgorithm]

    /// Checks a token's form, its header, its key and its signature.
    ///
    /// Never uses a key from the token itself (`jwk`, `jku`, `x5c`, `x5u`).
    ///
    /// - Parameter compact: The token. Untrusted.
    /// - Throws: ``IDTokenError`` (`malformed`, `algorithmNotAllowed`, `extensionNotUnderstood`, `wrongType`,
    ///   `keysUnavailable`, `unknownKey`, `ambiguousKey`, `invalidSignature`); `CancellationError`.
    func signed(_ compact: String) async throws -> SignedToken {
        let (token, algorithm) = try read(compact)
        var key = try await keys.key(for: algorithm, id: token.header.keyID)
        if !JSONWebSignature.isValid(compact, by: key, with: algorithm) {
            key = try await keys.key(for: algorithm, id: token.header.keyID, insteadOf: key)
            guard JSONWebSignature.isValid(compact, by: key, with: algorithm) else {
                throw IDTokenError(.invalidSignature)
            }
        }
        guard issuer.allowsKey(limitedTo: key.issuer, for: token.claims) else { throw IDTokenError(.unknownKey) }
        return SignedToken(algorithm: algorithm, claims: token.claims)
    }

    /// Reads a token and checks only its header.
    ///
    /// - Parameter compact: The token. Untrusted.
    /// - Returns: The token, and the signature algorithm that it names.
    /// - Throws: ``IDTokenError`` (`malformed`, `algorithmNotAllowed`, `extensionNotUnderstood`, `wrongType`).
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
