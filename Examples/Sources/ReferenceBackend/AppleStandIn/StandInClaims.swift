// SPDX-License-Identifier: Apache-2.0

/// The claims of the stand-in's identity tokens.
package struct StandInClaims: Encodable, Sendable {
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
}
