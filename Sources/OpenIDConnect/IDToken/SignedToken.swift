import AuthCore

/// A JWT whose signature is found to be the provider's, its claims not yet looked at.
struct SignedToken: Sendable {
    let algorithm: SignatureAlgorithm
    let claims: UnverifiedClaims
}

/// What of a token's header must hold before a claim is looked at.
///
/// [RFC 7515, 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2),
/// [RFC 8725, 3](https://www.rfc-editor.org/rfc/rfc8725#section-3).
struct SignatureCheck: Sendable {
    let keys: ProviderKeys
    let algorithms: [SignatureAlgorithm]

    /// Checks a token's form, its header, its key and its signature.
    ///
    /// A key that the token brings along, `jwk`, `jku`, `x5c` or `x5u`, is never looked at.
    ///
    /// - Parameter compact: The token. From outside.
    /// - Returns: The token, its signature the provider's.
    /// - Throws: ``IDTokenError`` (`malformed`, `algorithmNotAllowed`, `extensionNotUnderstood`, `wrongType`,
    ///   `keysUnavailable`, `unknownKey`, `ambiguousKey`, `invalidSignature`); `CancellationError`.
    func signed(_ compact: String) async throws -> SignedToken {
        let (token, algorithm) = try read(compact)
        let key = try await keys.key(for: algorithm, id: token.header.keyID)
        if await !JSONWebSignature.isValid(compact, by: key, with: algorithm) {
            guard let other = try await keys.key(insteadOf: key, for: algorithm, id: token.header.keyID),
                await JSONWebSignature.isValid(compact, by: other, with: algorithm)
            else { throw IDTokenError(.invalidSignature) }
        }
        return SignedToken(algorithm: algorithm, claims: token.claims)
    }

    /// Reads a token and checks its header alone.
    ///
    /// - Parameter compact: The token. From outside.
    /// - Returns: The token, and the algorithm that it is said to be signed with.
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
        // RFC 7515, 4.1.11: what is not understood MUST be refused.
        guard token.header.critical.isEmpty else { throw IDTokenError(.extensionNotUnderstood) }
        // RFC 8725, 3.11: a token that says what it is, an access token or a logout token, is no other kind.
        if let type = token.header.type, ASCIIText.equalIgnoringCase(type.utf8.suffix(4), "+jwt".utf8) {
            throw IDTokenError(.wrongType)
        }
        return (token, algorithm)
    }
}
