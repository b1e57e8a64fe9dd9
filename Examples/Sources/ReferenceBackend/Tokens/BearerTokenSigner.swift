// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import JWTKit

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
    private let keys: JWTKeyCollection

    init(audience: Audience, serverKeys: ServerKeys) async {
        self.audience = audience
        // Sorted, so that equal claims have equal bytes, and a repeated refresh gets the same response.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        keys = await JWTKeyCollection()
            .add(
                hmac: HMACKey(key: serverKeys.key(for: "\(audience.rawValue) token")),
                digestAlgorithm: .sha256,
                serializer: DefaultJWTSerializer(jsonEncoder: encoder)
            )
    }

    /// Returns the signed token.
    func sign(_ claims: BearerClaims) async throws -> String {
        try await keys.sign(claims)
    }

    /// Returns the claims of a token with a valid signature, issuer and audience; the caller checks its time.
    ///
    /// - Returns: Nil if the token is invalid.
    func claims(of token: String) async -> BearerClaims? {
        guard let header = JOSEHeader(token: token), header.alg == "HS256", header.crit == nil,
            let claims = try? await keys.verify(token, as: BearerClaims.self),
            claims.iss == BearerClaims.issuer, claims.aud == audience.rawValue
        else { return nil }
        return claims
    }
}
