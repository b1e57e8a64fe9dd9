// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ReferenceBackend
import Testing

/// Contract A from a client's side, with generated identity tokens.
extension TestBackend {
    static let rawNonce = String(repeating: "0123456789abcdef", count: 4)

    static var hashedNonce: String {
        SHA256.hash(data: Data(rawNonce.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    var standIn: AppleStandIn {
        get throws { try #require(backend.appleStandIn) }
    }

    /// Returns the claims of a valid identity token.
    func claims(app: String = customerApp, email: String = "eve@example.com") throws -> StandInClaims {
        try standIn.claims(client: app, nonce: Self.hashedNonce, email: email)
    }

    /// Signs in with an identity token.
    func signIn(_ identityToken: String, nonce: String = rawNonce, name: String? = nil) async throws -> TestResponse {
        var body = ["identity_token": identityToken, "nonce": nonce]
        body["name"] = name
        return try await post("/api/auth/apple", body)
    }

    /// Signs in with a valid identity token.
    func signIn(app: String = customerApp, name: String? = nil) async throws -> TestResponse {
        try await signIn(standIn.key.sign(claims(app: app)), name: name)
    }

    /// Signs in and returns a session token of contract A.
    func sessionToken() async throws -> String {
        try #require(try await signIn().string("token"))
    }
}
