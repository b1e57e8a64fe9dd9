// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A DPoP proof; a test can change every part.
struct HandmadeProof {
    var header: [String: JSONValue]
    var claims: [String: JSONValue]
    var key: P256.Signing.PrivateKey

    init(_ method: String, _ url: String, at date: Date, by key: P256.Signing.PrivateKey) {
        let point = key.publicKey.rawRepresentation
        self.key = key
        header = [
            "typ": .string("dpop+jwt"), "alg": .string("ES256"),
            "jwk": .object([
                "kty": .string("EC"), "crv": .string("P-256"),
                "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
            ]),
        ]
        claims = [
            "jti": .string(Base64URL.encode(RandomBytes.make(16))), "htm": .string(method), "htu": .string(url),
            "iat": .integer(Int64(date.timeIntervalSince1970)),
        ]
    }

    /// Returns the proof with the hash of an access token.
    func bound(to accessToken: String?) -> HandmadeProof {
        var proof = self
        proof.claims["ath"] = .string(Base64URL.encode(SHA256.hash(data: Data((accessToken ?? "").utf8))))
        return proof
    }

    func text() throws -> String { try key.signedJWT(header, claims) }
}

extension P256.Signing.PrivateKey {
    /// Returns a JWT that this key has signed, whatever algorithm its header names.
    func signedJWT(_ header: [String: JSONValue], _ claims: [String: JSONValue]) throws -> String {
        let text = try [header, claims].map { Base64URL.encode(try JSONEncoder().encode($0)) }.joined(separator: ".")
        return text + "." + Base64URL.encode(try signature(for: Data(text.utf8)).rawRepresentation)
    }
}
