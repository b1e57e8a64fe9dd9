// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys that a provider publishes; it verifies signatures with swift-crypto alone.
struct PublishedKeys {
    let keys: [[String: JSONValue]]

    init(_ client: HandmadeClient) async throws {
        keys = try await client.get(.jwks)["keys"]?.array?.compactMap(\.object) ?? []
    }

    var ids: [String] { keys.compactMap { $0["kid"]?.string } }

    /// Returns whether the key that the token names made its signature.
    func verify(_ token: String) throws -> Bool {
        let header = try UnverifiedJWT(token).header
        let parts = token.split(separator: ".").map(String.init)
        guard let key = keys.first(where: { $0["kid"]?.string == header.keyID }), parts.count == 3,
            let signature = Base64URL.decode(parts[2].utf8)
        else { return false }
        return try verify(signature, of: Data("\(parts[0]).\(parts[1])".utf8), with: key, header.algorithm)
    }

    private func verify(
        _ signature: [UInt8],
        of text: Data,
        with key: [String: JSONValue],
        _ algorithm: String
    ) throws -> Bool {
        let point = bytes(key, "x") + bytes(key, "y")
        switch algorithm {
        case "ES256":
            return try P256.Signing.PublicKey(rawRepresentation: point)
                .isValidSignature(.init(rawRepresentation: signature), for: text)
        case "ES384":
            return try P384.Signing.PublicKey(rawRepresentation: point)
                .isValidSignature(.init(rawRepresentation: signature), for: text)
        case "ES512":
            return try P521.Signing.PublicKey(rawRepresentation: point)
                .isValidSignature(.init(rawRepresentation: signature), for: text)
        case "EdDSA":
            return try Curve25519.Signing.PublicKey(rawRepresentation: point).isValidSignature(signature, for: text)
        case "RS256", "PS256":
            return try _RSA.Signing.PublicKey(n: bytes(key, "n"), e: bytes(key, "e")).isValidSignature(
                .init(rawRepresentation: signature),
                for: SHA256.hash(data: text),
                padding: algorithm == "RS256" ? .insecurePKCS1v1_5 : .PSS
            )
        default:
            return false
        }
    }

    private func bytes(_ key: [String: JSONValue], _ name: String) -> [UInt8] {
        (key[name]?.string).flatMap { Base64URL.decode($0.utf8) } ?? []
    }
}
