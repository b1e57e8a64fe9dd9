// SPDX-License-Identifier: Apache-2.0

package import JWTKit

/// The claims of the stand-in's identity tokens.
package struct StandInClaims: JWTPayload {
    /// The issuer.
    package var iss: String
    /// The user.
    package var sub: String
    /// The app.
    package var aud: String
    /// The time of issue, in seconds since 1970.
    package var iat: Int
    /// The expiry, in seconds since 1970.
    package var exp: Int
    /// The hash of the raw nonce, as the client sent it.
    package var nonce: String?
    /// The user's e-mail address.
    package var email: String?
    /// Whether the address is verified.
    package var email_verified: Bool?

    package init(iss: String, sub: String, aud: String, iat: Int, exp: Int, nonce: String?, email: String?) {
        self.iss = iss
        self.sub = sub
        self.aud = aud
        self.iat = iat
        self.exp = exp
        self.nonce = nonce
        self.email = email
    }

    /// Does nothing: the recipient verifies the claims.
    package func verify(using algorithm: some JWTAlgorithm) {}
}
