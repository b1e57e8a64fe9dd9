// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

@testable import ResourceServer

/// The making of signed and forged tokens.
enum TestJWT {
    /// Returns a token in the compact form; a value of `NSNull` replaces a claim or parameter by null.
    static func make(
        header: [String: Any],
        claims: [String: Any],
        sign: (Data) throws -> Data
    ) throws -> String {
        let head = Base64URL.encode(try JSONSerialization.data(withJSONObject: header))
        let input = head + "." + Base64URL.encode(try JSONSerialization.data(withJSONObject: claims))
        return input + "." + Base64URL.encode(try sign(Data(input.utf8)))
    }

    /// Returns a token that is signed with ES256.
    static func make(
        header: [String: Any],
        claims: [String: Any],
        key: P256.Signing.PrivateKey
    ) throws -> String {
        try make(header: header, claims: claims) { try key.signature(for: $0).rawRepresentation }
    }

    /// Returns the members of a public key as a JWK.
    static func jwk(_ key: P256.Signing.PublicKey) -> [String: Any] {
        let point = Array(key.rawRepresentation)
        return [
            "kty": "EC", "crv": "P-256", "x": Base64URL.encode(point.prefix(32)),
            "y": Base64URL.encode(point.suffix(32)),
        ]
    }
}
