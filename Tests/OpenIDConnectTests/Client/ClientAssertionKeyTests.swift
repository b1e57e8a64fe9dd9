// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Crypto
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ClientAssertionKeyTests {
    private static func assertion(_ key: ClientAssertionKey) async throws -> String {
        let assertion = ClientAssertion(clientID: "app", audience: "https://op.example", issuedAt: 1_800_000_000)
        return try await assertion.signed(by: key)
    }

    /// Whether a P-256 key made the signature of a JWT.
    private static func isSigned(_ text: String, by key: P256.Signing.PublicKey) throws -> Bool {
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(parts[2].utf8))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes)
        return key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
    }

    /// RFC 7523, 3.
    @Test func `an assertion has the claims of RFC 7523 and a valid ES256 signature`() async throws {
        let key = P256.Signing.PrivateKey()
        let text = try await Self.assertion(ClientAssertionKey(pem: key.pemRepresentation, keyID: "k-1"))
        let token = try UnverifiedJWT(text)
        #expect(token.header.algorithm == "ES256")
        #expect(token.header.type == "JWT")
        #expect(token.header.keyID == "k-1")
        #expect(token.claims.issuer == "app")
        #expect(token.claims.subject == "app")
        #expect(token.claims.audience == ["https://op.example"])
        #expect(token.claims.issuedAt == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(token.claims.expiration == Date(timeIntervalSince1970: 1_800_000_060))
        #expect(Set(token.claims.all.keys) == ["iss", "sub", "aud", "jti", "iat", "exp"])
        #expect(try Self.isSigned(text, by: key.publicKey))
        #expect(try !Self.isSigned(text, by: P256.Signing.PrivateKey().publicKey))
    }

    /// FAPI 2.0 Security Profile, 5.4.1, item 4.
    @Test func `each assertion has a new ID, of at least 128 bits`() async throws {
        let key = try ClientAssertionKey(pem: P256.Signing.PrivateKey().pemRepresentation)
        var ids: Set<String> = []
        for _ in 0..<8 {
            let token = try UnverifiedJWT(try await Self.assertion(key))
            ids.insert(try #require(token.claims.all["jti"]?.string))
        }
        #expect(ids.count == 8)
        #expect(ids.allSatisfy { Base64URL.decode($0.utf8)?.count ?? 0 >= 16 })
    }

    @Test func `a key in SEC1 with the curve's parameters before it signs with ES256`() async throws {
        let key = try ClientAssertionKey(pem: ClientKeys.sec1)
        #expect(key.algorithm == .es256)
        #expect(key.keyID == nil)
        let token = try UnverifiedJWT(try await Self.assertion(key))
        #expect(token.header.keyID == nil)
    }

    @Test(arguments: [nil, .ps256] as [SignatureAlgorithm?])
    func `an RSA key signs with RS256, or with PS256 if requested`(algorithm: SignatureAlgorithm?) async throws {
        let key = try ClientAssertionKey(pem: ClientKeys.rsa, algorithm: algorithm)
        #expect(key.algorithm == algorithm ?? .rs256)
        let members: [String: JSONValue] = [
            "kty": .string("RSA"), "n": .string(ClientKeys.rsaModulus), "e": .string("AQAB"),
        ]
        let publicKey = try #require(JSONWebKey(members))
        let text = try await Self.assertion(key)
        #expect(JSONWebSignature.isValid(text, by: publicKey, with: key.algorithm))
    }

    @Test(arguments: ["", "secret-4f1d", "-----BEGIN PRIVATE KEY-----\nsecret-4f1d\n-----END PRIVATE KEY-----"])
    func `a text that is no key is refused without repeating it`(text: String) {
        let error = #expect(throws: OpenIDError.self) { try ClientAssertionKey(pem: text) }
        #expect(error == OpenIDError(.clientAssertion, .unreadableKey))
        #expect(error.map { !"\($0) \(String(reflecting: $0))".contains("4f1d") } == true)
    }

    @Test func `an RSA key of 1024 bits is refused`() {
        let error = #expect(throws: OpenIDError.self) { try ClientAssertionKey(pem: ClientKeys.shortRSA) }
        #expect(error == OpenIDError(.clientAssertion, .keyTooShort))
    }

    @Test func `a key of another type than the algorithm's is refused`() {
        let rsa = #expect(throws: OpenIDError.self) {
            try ClientAssertionKey(pem: ClientKeys.rsa, algorithm: .es256)
        }
        let curve = #expect(throws: OpenIDError.self) {
            try ClientAssertionKey(pem: ClientKeys.sec1, algorithm: .rs256)
        }
        #expect(rsa == OpenIDError(.clientAssertion, .algorithmMismatch))
        #expect(curve == OpenIDError(.clientAssertion, .algorithmMismatch))
    }

    private struct DeviceError: Error {}

    @Test func `a signer's signature is used, and its error is the underlying one`() async throws {
        let signer = ClientAssertionKey(algorithm: .ps256, keyID: "hsm") { message in Array(message.suffix(3)) }
        let text = try await Self.assertion(signer)
        let parts = text.split(separator: ".").map(String.init)
        #expect(Base64URL.decode(parts[2].utf8) == Array(parts[1].utf8.suffix(3)))
        let failing = ClientAssertionKey(algorithm: .es256) { _ in throw DeviceError() }
        let error = await #expect(throws: OpenIDError.self) { try await Self.assertion(failing) }
        #expect(error == OpenIDError(.clientAssertion, .signingFailed))
        #expect(error?.underlying is DeviceError)
    }

    @Test func `a cancelled signer is not reported as a failed one`() async {
        let key = ClientAssertionKey(algorithm: .es256) { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await Self.assertion(key) }
    }

    @Test func `a printed key shows nothing`() throws {
        let key = try ClientAssertionKey(pem: ClientKeys.sec1, keyID: "k-1")
        let client = OpenIDClient.confidential(id: "app", key: key)
        var dumped = ""
        dump(key, to: &dumped)
        dump(client, to: &dumped)
        let text = "\(key) \(String(reflecting: key)) \(client) \(String(reflecting: client)) \(dumped)"
        #expect(!text.contains("MHcCAQEE"))
        #expect(!text.contains("PRIVATE"))
    }

    @Test func `keys are equal if their text and settings are, and signers if they are the same`() throws {
        let key = try ClientAssertionKey(pem: ClientKeys.sec1)
        var other = try ClientAssertionKey(pem: ClientKeys.sec1)
        #expect(key == other)
        other.audience = .tokenEndpoint
        #expect(key != other)
        #expect(try key != ClientAssertionKey(pem: ClientKeys.sec1, keyID: "k-1"))
        let signer = ClientAssertionKey(algorithm: .es256) { _ in [] }
        #expect(signer == signer)
        #expect(signer != ClientAssertionKey(algorithm: .es256) { _ in [] })
    }
}
