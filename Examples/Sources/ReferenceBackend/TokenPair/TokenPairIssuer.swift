// SPDX-License-Identifier: Apache-2.0

internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Contract B's response to a sign-in, and to a refresh, which omits `user`.
struct TokenPairBody: Encodable, Sendable {
    var user: UserBody?
    let accessToken: String
    let refreshToken: String
    let tokenType = "Bearer"
    let expiresIn: Int
    let scope = "openid email profile"
}

/// The issuer of the current token pair of a family.
///
/// The pair is a function of the family's counter and the time of its rotation, so issuing it again yields the same
/// bytes. The grace window thus needs no stored token.
struct TokenPairIssuer: Sendable {
    let signer: BearerTokenSigner
    /// The key for refresh tokens.
    ///
    /// Secret.
    let refreshKey: SymmetricKey
    let lifetime: Duration
    let onIssue: (@Sendable (IssuedToken) async -> Void)?

    /// Returns the current pair of a family.
    func pair(for family: RefreshFamily, user: UserBody? = nil) async throws -> TokenPairBody {
        let issued = Int(family.rotated.timeIntervalSince1970)
        let identifier = HMAC<SHA256>.authenticationCode(
            for: Data("jti|\(family.id)|\(family.counter)".utf8),
            using: refreshKey
        )
        let access = try signer.sign(
            BearerClaims(
                iss: BearerClaims.issuer,
                sub: family.accountID,
                aud: signer.audience.rawValue,
                iat: issued,
                exp: issued + lifetime.wholeSeconds,
                jti: Data(identifier.prefix(16)).base64URL,
                role: nil,
                fam: family.id,
                authTime: nil
            )
        )
        let refresh = RefreshToken(family: family.id, counter: family.counter).rawValue(key: refreshKey)
        await onIssue?(IssuedToken(.accessToken, access))
        await onIssue?(IssuedToken(.refreshToken, refresh))
        return TokenPairBody(
            user: user,
            accessToken: access,
            refreshToken: refresh,
            expiresIn: lifetime.wholeSeconds
        )
    }
}
