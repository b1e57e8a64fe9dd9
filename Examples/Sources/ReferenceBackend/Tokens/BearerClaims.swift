internal import JWTKit

/// The claims of a token this backend issues for itself, of either contract.
struct BearerClaims: JWTPayload, Equatable {
    /// Who issued it: always this backend.
    let iss: String
    /// The account's id.
    let sub: String
    /// `session` for contract A, `access` for contract B.
    let aud: String
    /// When it was issued, in seconds since 1970.
    let iat: Int
    /// From when on it is refused, in seconds since 1970.
    let exp: Int
    /// What tells two tokens of one account apart.
    let jti: String
    /// The account's role, in contract A.
    let role: AccountRole?
    /// The family of refresh tokens it belongs to, in contract B.
    let fam: String?
    /// When the user signed in, in seconds since 1970, in contract A: a renewed token keeps it.
    ///
    /// Wire: `auth_time`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
    let authTime: Int?

    /// When the user signed in; a token without `auth_time` counts from its own issue.
    var signedInAt: Int { authTime ?? iat }

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, iat, exp, jti, role, fam
        case authTime = "auth_time"
    }

    static let issuer = "sallyport-backend"

    /// Nothing here: time and audience are checked against the backend's own clock and route.
    func verify(using algorithm: some JWTAlgorithm) {}
}
