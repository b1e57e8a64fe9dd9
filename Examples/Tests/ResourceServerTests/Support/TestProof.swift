// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

@testable import ResourceServer

/// A DPoP proof for `GET /jobs`, valid but for a test's changes.
struct TestProof {
    let clock: TestClock
    var key = P256.Signing.PrivateKey()
    var header: [String: Any] = [:]
    var claims: [String: Any] = [:]

    /// The thumbprint of the key, written out apart from the code under test.
    var thumbprint: String {
        let point = Array(key.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return Base64URL.encode(SHA256.hash(data: Data(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8)))
    }

    /// Returns the proof for a token.
    func signed(for token: String) throws -> String {
        let header: [String: Any] = ["typ": "dpop+jwt", "alg": "ES256", "jwk": TestJWT.jwk(key.publicKey)]
        let claims: [String: Any] = [
            "jti": UUID().uuidString, "htm": "GET", "htu": TestAPI.url + "/jobs", "iat": clock.seconds,
            "ath": Base64URL.encode(SHA256.hash(data: Data(token.utf8))),
        ]
        return try TestJWT.make(
            header: header.merging(self.header) { $1 },
            claims: claims.merging(self.claims) { $1 },
            key: key
        )
    }
}
