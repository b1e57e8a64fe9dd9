internal import Crypto
internal import JWTKit

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Signs and verifies the tokens of one audience, HS256 with a key of their own.
struct BearerTokenSigner: Sendable {
    /// Whom the tokens are for.
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
        // Sorted, so that the same claims are the same bytes: a repeated refresh gets the same answer.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        keys = await JWTKeyCollection()
            .add(
                hmac: HMACKey(key: serverKeys.key(for: "\(audience.rawValue) token")),
                digestAlgorithm: .sha256,
                serializer: DefaultJWTSerializer(jsonEncoder: encoder)
            )
    }

    /// The signed token.
    func sign(_ claims: BearerClaims) async throws -> String {
        try await keys.sign(claims)
    }

    /// The claims of a token with a good signature, issuer and audience; its time is the caller's to judge.
    ///
    /// - Returns: `nil` where anything is wrong.
    func claims(of token: String) async -> BearerClaims? {
        guard let header = JOSEHeader(token: token), header.alg == "HS256", header.crit == nil,
            let claims = try? await keys.verify(token, as: BearerClaims.self),
            claims.iss == BearerClaims.issuer, claims.aud == audience.rawValue
        else { return nil }
        return claims
    }
}
