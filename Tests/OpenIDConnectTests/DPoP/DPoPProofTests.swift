// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import APIClient

/// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
@Suite struct DPoPProofTests {
    struct Hash: Decodable, Sendable {
        let access_token: String
        let ath: String
    }

    @Test func `the hash of an access token matches RFC 9449`() throws {
        for vector in try Vectors.read("rfc/dpop_ath", as: [Hash].self) {
            #expect(DPoPKey.hash(of: try AccessToken(vector.access_token).unredacted) == vector.ath)
        }
    }

    @Test func `a proof names its request and verifies with its own key`() throws {
        let key = DPoPKey()
        let compact = try key.proof(
            method: "POST",
            url: "https://provider.example/token",
            token: try AccessToken("a"),
            nonce: "n",
            at: 1_800_000_000
        )
        let token = try UnverifiedJWT(compact)
        #expect(token.header.type == "dpop+jwt")
        #expect(token.header.algorithm == "ES256")
        #expect(token.claims["htm"]?.string == "POST")
        #expect(token.claims["htu"]?.string == "https://provider.example/token")
        #expect(token.claims["iat"]?.integer == 1_800_000_000)
        #expect(token.claims["nonce"]?.string == "n")
        #expect(token.claims["ath"]?.string == DPoPKey.hash(of: "a"))
        let jwk = try #require(token.header.parameters["jwk"]?.object)
        #expect(jwk["d"] == nil)
        let parts = compact.split(separator: ".")
        let point =
            try #require(jwk["x"]?.string.flatMap { Base64URL.decode($0.utf8) })
            + #require(jwk["y"]?.string.flatMap { Base64URL.decode($0.utf8) })
        let publicKey = try P256.Signing.PublicKey(rawRepresentation: point)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Base64URL.decode(parts[2].utf8)))
        #expect(publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    /// RFC 9449, 4.2 and 4.3: a replayed proof is recognised by its jti, which has at least 96 bits.
    @Test func `two proofs never have the same ID, of at least 128 bits`() throws {
        let key = DPoPKey()
        let ids = try (0..<20).map { _ in
            let proof = try key.proof(method: "GET", url: "https://a.example/", token: nil, nonce: nil, at: 1)
            return try UnverifiedJWT(proof).claims["jti"]?.string
        }
        #expect(Set(ids).count == 20)
        #expect(ids.allSatisfy { $0.flatMap { Base64URL.decode($0.utf8) }?.count ?? 0 >= 16 })
    }

    @Test func `a stored key is restored, and invalid bytes are refused`() {
        let key = DPoPKey()
        #expect(DPoPKey(key.bytes)?.bytes == key.bytes)
        #expect(DPoPKey(key.bytes)?.thumbprint == key.thumbprint)
        #expect(DPoPKey(SecretBytes([1, 2, 3])) == nil)
        #expect(DPoPKey(SecretBytes([UInt8](repeating: 0, count: 32))) == nil)
    }

    @Test func `a thumbprint covers the members in their order`() {
        let key = DPoPKey()
        #expect(key.publicKey.hasPrefix(#"{"crv":"P-256","kty":"EC","x":""#))
        #expect(key.thumbprint == Base64URL.encode(Array(SHA256.hash(data: Array(key.publicKey.utf8)))))
    }

    @Test func `each server has its own nonce, which is sent until a new one arrives`() throws {
        let proofs = DPoPProofFactory(now: { Date(timeIntervalSince1970: 1_800_000_000) })
        let key = DPoPKey()
        func nonce(at origin: String) throws -> String? {
            let field = try proofs.field(by: key, method: "GET", origin: origin, path: "/", token: nil)
            return try UnverifiedJWT(field.value).claims["nonce"]?.string
        }
        #expect(proofs.noteNonce(in: [.dpopNonce: "one"], from: "https://a.example") == "one")
        #expect(proofs.noteNonce(in: [:], from: "https://a.example") == nil)
        #expect(proofs.noteNonce(in: [.dpopNonce: "a\"b"], from: "https://a.example") == nil)
        #expect(proofs.nonce(for: "https://a.example") == "one")
        #expect(try nonce(at: "https://a.example") == "one")
        #expect(try nonce(at: "https://b.example") == nil)
        #expect(proofs.noteNonce(in: [.dpopNonce: "two"], from: "https://a.example") == "two")
        #expect(try nonce(at: "https://a.example") == "two")
    }
}
