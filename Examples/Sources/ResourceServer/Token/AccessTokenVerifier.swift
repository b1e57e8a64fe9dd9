// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier of access tokens that are JWTs, signed with ES256 or RS256.
///
/// [RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4).
public struct AccessTokenVerifier: Sendable {
    /// The accepted types of token.
    public enum TokenType: Sendable {
        /// `at+jwt` alone, as RFC 9068 demands.
        case accessToken
        /// `JWT` or no type, too, for servers older than RFC 9068.
        ///
        /// The audience alone then tells an access token from an ID token: it must not be a client ID.
        case anyJWT
    }

    let issuer: String
    let audience: String
    let keys: RemoteJWKSet
    let type: TokenType
    let leeway: TimeInterval
    let now: @Sendable () -> Date

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of the tokens, compared exactly.
    ///   - audience: The name of this API, which `aud` must contain.
    ///   - keys: The issuer's keys. The key decides the algorithm, never the token.
    ///   - type: The accepted types of token.
    ///   - leeway: The difference between the clocks that is accepted, at most 60 seconds.
    ///   - now: The server's clock.
    public init(
        issuer: String,
        audience: String,
        keys: RemoteJWKSet,
        type: TokenType = .accessToken,
        leeway: Duration = .seconds(60),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.type = type
        self.leeway = min(max(leeway, .zero), .seconds(60)) / .seconds(1)
        self.now = now
    }

    /// Verifies a token's signature and every claim.
    ///
    /// The caller must check a DPoP proof if the token has a ``VerifiedAccessToken/keyThumbprint``.
    ///
    /// - Parameter token: The access token. Untrusted.
    /// - Returns: The token's content.
    /// - Throws: ``AccessTokenError`` (`invalidToken`; `keysUnavailable`: the keys can't be fetched).
    public func verify(_ token: String) async throws -> VerifiedAccessToken {
        guard let jws = CompactJWS(token), accepts(type: jws.header.typ),
            VerificationKey.algorithms.contains(jws.header.alg), let kid = jws.header.kid
        else { throw AccessTokenError(.invalidToken) }
        guard let key = try await keys.key(id: kid), key.isValidSignature(of: jws),
            let claims = try? JSONDecoder().decode(AccessTokenClaims.self, from: jws.payload),
            isValid(claims)
        else { throw AccessTokenError(.invalidToken) }
        return VerifiedAccessToken(claims)
    }

    private func accepts(type: String?) -> Bool {
        switch type?.lowercased() {
        case "at+jwt", "application/at+jwt": true
        case "jwt", nil: self.type == .anyJWT
        default: false
        }
    }

    private func isValid(_ claims: AccessTokenClaims) -> Bool {
        let now = now().timeIntervalSince1970
        guard claims.iss == issuer, claims.aud.values.contains(audience), !claims.sub.isEmpty else { return false }
        guard now < claims.exp + leeway, (claims.nbf ?? 0) <= now + leeway else { return false }
        // A token that is bound by another method, such as a client certificate, can't be checked here.
        return claims.cnf == nil || claims.cnf?.jkt != nil
    }
}
