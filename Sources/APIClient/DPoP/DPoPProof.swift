// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A proof, for one request, that its sender has the key.
///
/// Wire: `DPoP`. [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
struct DPoPProof {
    /// The request's method.
    let method: String
    /// The request's URL, without query and fragment.
    let url: String
    /// The access token in the request; nil at a token endpoint.
    var accessToken: AccessToken?
    /// The server's nonce; nil if the server has given no nonce.
    var nonce: String?
    /// The time in seconds since 1970, by the server's clock as far as it is known.
    let issuedAt: Int64

    /// Returns the proof in the compact form, good for one use.
    func signed(by key: DPoPKey) throws -> String {
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(key.publicKey)}"#
        var claims: [String: JSONValue] = [
            "jti": .string(Base64URL.encode(RandomBytes.make(16))),
            "htm": .string(method),
            "htu": .string(url),
            "iat": .integer(issuedAt),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        if let accessToken { claims["ath"] = .string(Self.hash(of: accessToken)) }
        let payload = try JSONEncoder().encode(claims)
        let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload)
        return text + "." + Base64URL.encode(try key.signature(of: text))
    }

    /// Returns the hash of the access token that goes with a proof.
    ///
    /// Wire: `ath`. [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
    static func hash(of token: AccessToken) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.unredacted.utf8))))
    }
}
