// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderState {
    /// Returns a signed JWT, with the faults that a test injected.
    ///
    /// [RFC 7515, 3.1](https://www.rfc-editor.org/rfc/rfc7515#section-3.1).
    func sign(
        _ claims: [String: JSONValue],
        type: String = "JWT",
        with key: SigningKey,
        for client: InProcessProvider.Client,
        _ faults: AppliedFaults
    ) throws(OAuthError) -> String {
        let claims = faults.applied(to: claims)
        var header = ["alg": JSONValue.string(key.algorithm.rawValue), "typ": .string(type), "kid": .string(key.id)]
        switch faults.signature {
        case nil:
            return try Self.compact(header, claims, key.signature)
        case .wrong:
            return try Self.compact(header, claims) { text throws(OAuthError) in try key.signature(of: text + "x") }
        case .unsigned:
            header["alg"] = .string("none")
            header["kid"] = nil
            return try Self.compact(header, claims) { _ throws(OAuthError) in [] }
        case .hs256:
            header["alg"] = .string("HS256")
            let secret = SymmetricKey(data: client.secret.map { Array($0.utf8) } ?? JSONText.encode(key.jwk))
            return try Self.compact(header, claims) { text throws(OAuthError) in
                Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: secret))
            }
        case .keyInHeader:
            let stranger = try Self.stranger()
            header["alg"] = .string(stranger.algorithm.rawValue)
            header["jwk"] = .object(stranger.jwk)
            return try Self.compact(header, claims, stranger.signature)
        case .unknownKey:
            let stranger = try Self.stranger()
            header["alg"] = .string(stranger.algorithm.rawValue)
            header["kid"] = .string(stranger.id)
            return try Self.compact(header, claims, stranger.signature)
        case .withoutKeyID:
            header["kid"] = nil
            return try Self.compact(header, claims, key.signature)
        case .unknownCriticalHeader:
            header["crit"] = .strings(["urn:example:unknown"])
            header["urn:example:unknown"] = .boolean(true)
            return try Self.compact(header, claims, key.signature)
        }
    }

    /// Creates an unpublished key.
    private static func stranger() throws(OAuthError) -> SigningKey {
        guard let key = SigningKey(.es256) else {
            throw OAuthError("server_error", "The key could not be created.", status: 500)
        }
        return key
    }

    private static func compact(
        _ header: [String: JSONValue],
        _ claims: [String: JSONValue],
        _ signature: (String) throws(OAuthError) -> [UInt8]
    ) throws(OAuthError) -> String {
        let text = Base64URL.encode(JSONText.encode(header)) + "." + Base64URL.encode(JSONText.encode(claims))
        return text + "." + Base64URL.encode(try signature(text))
    }
}
