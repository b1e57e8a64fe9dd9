// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

@testable import ResourceServer

/// An issuer of access tokens with a P-256 key.
struct TestIssuer: Sendable {
    static let url = "https://login.example.com"
    static let audience = "https://api.example.com"

    let clock: TestClock
    var kid = "one"
    let key = P256.Signing.PrivateKey()

    /// The key as a member of a key set.
    var jwk: [String: Any] { TestJWT.jwk(key.publicKey).merging(["kid": kid, "use": "sig"]) { $1 } }

    /// Returns the JSON of a key set.
    static func set(_ members: [[String: Any]]) throws -> Data {
        try JSONSerialization.data(withJSONObject: ["keys": members])
    }

    var header: [String: Any] { ["alg": "ES256", "typ": "at+jwt", "kid": kid] }

    var claims: [String: Any] {
        [
            "iss": Self.url, "aud": Self.audience, "sub": "ada", "iat": clock.seconds, "exp": clock.seconds + 300,
            "client_id": "app", "scope": "jobs.read jobs.write",
        ]
    }

    /// Returns a valid token, but for the changes.
    func token(_ changes: [String: Any] = [:], header changedHeader: [String: Any] = [:]) throws -> String {
        try TestJWT.make(
            header: header.merging(changedHeader) { $1 },
            claims: claims.merging(changes) { $1 },
            key: key
        )
    }

    /// Returns a verifier with this issuer's key alone.
    func verifier(type: AccessTokenVerifier.TokenType = .accessToken) throws -> AccessTokenVerifier {
        let set = try Self.set([jwk])
        return verifier(keys: RemoteJWKSet(now: { [clock] in clock.now }, fetch: { set }), type: type)
    }

    /// Returns a verifier.
    func verifier(keys: RemoteJWKSet, type: AccessTokenVerifier.TokenType = .accessToken) -> AccessTokenVerifier {
        AccessTokenVerifier(
            issuer: Self.url,
            audience: Self.audience,
            keys: keys,
            type: type,
            now: { [clock] in clock.now }
        )
    }
}
