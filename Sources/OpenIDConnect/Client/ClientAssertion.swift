// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A signed statement that proves the client's identity to one server, for one request.
///
/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
struct ClientAssertion {
    /// The value of `client_assertion_type`.
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The time for which an assertion is valid, in seconds.
    private static let lifetime: Int64 = 60

    let clientID: String
    let audience: String
    /// The time in seconds since 1970, by the server's clock as far as it is known.
    let issuedAt: Int64

    /// Returns the assertion in the compact form, good for one request.
    ///
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func signed(by key: ClientAssertionKey) async throws -> String {
        try await key.jwt(of: [
            // RFC 7523, 3: both are the client ID.
            "iss": .string(clientID),
            "sub": .string(clientID),
            "aud": .string(audience),
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt + Self.lifetime),
        ])
    }
}

extension ClientAssertionKey {
    /// Returns a signed JWT of claims, with an ID of its own, in the compact form.
    ///
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func jwt(of claims: [String: JSONValue]) async throws -> String {
        var header: [String: JSONValue] = ["alg": .string(algorithm.description), "typ": .string("JWT")]
        if let keyID { header["kid"] = .string(keyID) }
        var claims = claims
        // OpenID Connect Core 1.0, 9: REQUIRED, and used once.
        claims["jti"] = .string(Base64URL.encode(RandomBytes.make(16)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text =
            Base64URL.encode(try encoder.encode(header)) + "." + Base64URL.encode(try encoder.encode(claims))
        return text + "." + Base64URL.encode(try await signature(of: Array(text.utf8)))
    }
}
