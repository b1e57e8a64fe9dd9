// SPDX-License-Identifier: Apache-2.0

/// The claims of a token that this backend issues, of either contract.
struct BearerClaims: Codable, Equatable {
    /// The issuer, always this backend.
    let iss: String
    /// The account's id.
    let sub: String
    /// The audience: `session` for contract A, `access` for contract B.
    let aud: String
    /// The time of issue, in seconds since 1970.
    let iat: Int
    /// The expiry, in seconds since 1970.
    let exp: Int
    /// The token's identifier, which differs between tokens of one account.
    let jti: String
    /// The account's role, in contract A.
    let role: AccountRole?
    /// The family of its refresh token, in contract B.
    let fam: String?
    /// The time of the sign-in, in seconds since 1970, in contract A; a renewed token keeps it.
    ///
    /// Wire: `auth_time`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
    let authTime: Int?

    /// The time of the sign-in, or of the issue if the token has no `auth_time`.
    var signedInAt: Int { authTime ?? iat }

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, iat, exp, jti, role, fam
        case authTime = "auth_time"
    }

    static let issuer = "sallyport-backend"
}
