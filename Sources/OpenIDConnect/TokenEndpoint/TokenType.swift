// SPDX-License-Identifier: Apache-2.0

/// The identifiers of token types.
///
/// [RFC 8693, 3](https://www.rfc-editor.org/rfc/rfc8693#section-3).
enum TokenType {
    static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    static let jwt = "urn:ietf:params:oauth:token-type:jwt"
    /// The types of issued tokens that can be used as an access token; nil from a server that omits the type.
    static let usable: Set<String?> = [accessToken, jwt, nil]
}
