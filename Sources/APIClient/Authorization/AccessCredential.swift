// SPDX-License-Identifier: Apache-2.0

public import AuthCore
package import HTTPTypes

/// An access token with the fields that present it: the `Authorization` field, and a proof of possession if the token
/// is bound to a key.
///
/// Wire: `Authorization: Bearer`. [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
/// `Authorization: DPoP`. [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
public struct AccessCredential: Sendable, Redacted {
    /// The access token; secret.
    public let accessToken: AccessToken
    /// The `Authorization` field, created once because each byte of its value is checked; secret.
    package let field: HTTPField
    /// The key that the token is bound to, and the factory of its proofs; nil for a bearer token.
    package let binding: (key: DPoPKey, proofs: DPoPProofFactory)?
    /// The origins that the token may go to, whatever its source says; nil if the source decides.
    package var allowedOrigins: Set<String>?

    /// Creates the credential of a bearer token.
    ///
    /// It has no key, so a token that is bound to one is not sent: ``APIError`` (`proofUnavailable`).
    public init(_ accessToken: AccessToken) {
        self.accessToken = accessToken
        field = HTTPField(name: .authorization, value: "Bearer \(accessToken.unredacted)")
        binding = nil
    }

    /// Creates the credential of a token that is bound to a key.
    package init(_ accessToken: AccessToken, key: DPoPKey, proofs: DPoPProofFactory) {
        self.accessToken = accessToken.bound
        field = HTTPField(name: .authorization, value: "DPoP \(accessToken.unredacted)")
        binding = (key, proofs)
    }
}
