// SPDX-License-Identifier: Apache-2.0

internal import JWTKit

/// The claims of an identity token.
///
/// [OpenID Connect Core, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
struct IdentityTokenClaims: JWTPayload {
    let iss: String
    let sub: String
    let aud: AudienceClaim
    /// The expiry, in seconds since 1970.
    let exp: Double
    /// The SHA-256 of the raw nonce, in lower-case hexadecimal.
    let nonce: String?
    let email: String?
    /// Whether Apple has verified the address; a string in some of Apple's tokens.
    let email_verified: BoolClaim?

    /// Does nothing: the verifier checks each claim against its own clock and the request.
    func verify(using algorithm: some JWTAlgorithm) {}
}
