// SPDX-License-Identifier: Apache-2.0

internal import ResourceServer

/// The claims of an identity token.
///
/// [OpenID Connect Core, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
struct IdentityTokenClaims: Decodable {
    /// A Boolean, which is a string in some of Apple's tokens.
    struct Flag: Decodable {
        let value: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self.value = value
            } else if let value = Bool(try container.decode(String.self)) {
                self.value = value
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a Boolean.")
            }
        }
    }

    let iss: String
    let sub: String
    let aud: AccessTokenClaims.Audiences
    /// The expiry, in seconds since 1970.
    let exp: Double
    /// The SHA-256 of the raw nonce, in lower-case hexadecimal.
    let nonce: String?
    let email: String?
    /// Whether Apple has verified the address.
    let email_verified: Flag?
}
