// SPDX-License-Identifier: Apache-2.0

/// The claims of an access token.
///
/// [RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2).
package struct AccessTokenClaims: Decodable {
    /// The audiences: a string, or an array of strings.
    package struct Audiences: Decodable {
        package let values: [String]

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                values = [value]
            } else {
                values = try container.decode([String].self)
            }
        }
    }

    /// The key that the token is bound to: [RFC 7800, 3.1](https://www.rfc-editor.org/rfc/rfc7800#section-3.1).
    struct Confirmation: Decodable {
        /// The thumbprint of a DPoP key: [RFC 9449, 6.1](https://www.rfc-editor.org/rfc/rfc9449#section-6.1).
        let jkt: String?
    }

    let iss: String
    let aud: Audiences
    let sub: String
    /// The expiry, in seconds since 1970.
    let exp: Double
    /// The time before which the token is not valid, in seconds since 1970.
    let nbf: Double?
    let scope: String?
    let clientID: String?
    let acr: String?
    /// The time of the sign-in, in seconds since 1970.
    let authTime: Double?
    let cnf: Confirmation?

    private enum CodingKeys: String, CodingKey {
        case iss, aud, sub, exp, nbf, scope, acr, cnf
        case clientID = "client_id"
        case authTime = "auth_time"
    }
}
