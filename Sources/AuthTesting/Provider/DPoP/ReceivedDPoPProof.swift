// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A DPoP proof with valid form and signature, whose claims are not yet compared with the request.
///
/// [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
struct ReceivedDPoPProof: Sendable {
    /// The thumbprint of the proof's key: [RFC 7638, 3](https://www.rfc-editor.org/rfc/rfc7638#section-3).
    let key: String
    let id: String
    let method: String
    let url: String
    let issued: Date
    let nonce: String?
    let accessTokenHash: String?

    init(_ text: String) throws(OAuthError) {
        guard let token = try? UnverifiedJWT(text), token.header.type == "dpop+jwt",
            token.header.algorithm == "ES256", let jwk = token.header.parameters["jwk"]?.object
        else { throw Self.refusal("It is not a JWT of type dpop+jwt, signed with ES256, with its key in its header.") }
        // RFC 9449, 4.3, point 7.
        guard jwk["kty"]?.string == "EC", jwk["crv"]?.string == "P-256", jwk["d"] == nil,
            let x = jwk["x"]?.string, let y = jwk["y"]?.string
        else { throw Self.refusal("Its key is not a public P-256 key.") }
        try Self.verify(text, x: x, y: y)
        let claims = token.claims.all
        guard let id = claims["jti"]?.string, let method = claims["htm"]?.string, let url = claims["htu"]?.string,
            let issued = token.claims.issuedAt
        else { throw Self.refusal("A claim is missing.") }
        key = Base64URL.encode(
            SHA256.hash(data: Data("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\"}".utf8))
        )
        (self.id, self.method, self.url, self.issued) = (id, method, url, issued)
        nonce = claims["nonce"]?.string
        accessTokenHash = claims["ath"]?.string
    }

    static func refusal(_ description: String) -> OAuthError {
        OAuthError("invalid_dpop_proof", "The DPoP proof is invalid. \(description)")
    }

    private static func verify(_ text: String, x: String, y: String) throws(OAuthError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let x = Base64URL.decode(x.utf8), let y = Base64URL.decode(y.utf8), x.count == 32, y.count == 32,
            let key = try? P256.Signing.PublicKey(rawRepresentation: x + y), parts.count == 3,
            let bytes = Base64URL.decode(parts[2].utf8),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw refusal("Its signature is invalid.") }
    }
}
