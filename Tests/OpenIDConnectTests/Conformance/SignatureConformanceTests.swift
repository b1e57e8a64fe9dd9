// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Crypto
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signatures of ID tokens, by the OpenID Foundation's list of tests for relying parties.
///
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation), 6 to 8.
@Suite struct SignatureConformanceTests {
    private static func app(
        _ algorithms: [InProcessProvider.SigningAlgorithm],
        client: OpenIDClient = .public(id: "native"),
        fault: (InProcessProvider) -> Void = { _ in }
    ) async throws -> RelyingParty {
        try await RelyingParty(client, configure: { $0.signingAlgorithms = algorithms }, fault: fault)
    }

    private static func algorithm(of tokens: OpenIDTokens) throws -> String {
        try UnverifiedJWT(try #require(tokens.tokens.idToken)).header.algorithm
    }

    // MARK: Accepted algorithms

    private static func isAccepted(_ algorithm: InProcessProvider.SigningAlgorithm) async throws -> Bool {
        let tokens = try await app([algorithm]).signIn()
        // The hash of the access token uses the algorithm's hash function, and was compared.
        #expect(tokens.idToken?.claims["at_hash"] != nil)
        return try Self.algorithm(of: tokens) == algorithm.rawValue
    }

    @Test func `oidcc-client-test-idtoken-sig-rs256: RSASSA-PKCS1-v1_5 is accepted`() async throws {
        #expect(try await Self.isAccepted(.rs256))
    }

    @Test func `oidcc-client-test-idtoken-sig-ps256: RSASSA-PSS is accepted`() async throws {
        #expect(try await Self.isAccepted(.ps256))
    }

    @Test func `oidcc-client-test-idtoken-sig-es256: ECDSA on P-256 is accepted`() async throws {
        #expect(try await Self.isAccepted(.es256))
    }

    @Test func `oidcc-client-test-idtoken-sig-es384: ECDSA on P-384 is accepted`() async throws {
        #expect(try await Self.isAccepted(.es384))
    }

    @Test func `oidcc-client-test-idtoken-sig-es512: ECDSA on P-521 is accepted`() async throws {
        #expect(try await Self.isAccepted(.es512))
    }

    @Test func `oidcc-client-test-idtoken-sig-eddsa: Ed25519 is accepted`() async throws {
        #expect(try await Self.isAccepted(.edDSA))
    }

    /// The app's setting decides, not the provider's preference.
    @Test func `an algorithm that the app does not allow is refused`() async throws {
        let app = try await RelyingParty(settings: { $0.signatureAlgorithms = [.ps256, .edDSA] })
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.algorithmNotAllowed))
        let allowing = try await RelyingParty(settings: { $0.signatureAlgorithms = [.es256] })
        #expect(try Self.algorithm(of: try await allowing.signIn()) == "ES256")
    }

    @Test func `an algorithm that the provider does not list is refused`() async throws {
        let app = try await RelyingParty(fault: { Self.name(["RS256"], at: $0) })
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.algorithmNotAllowed))
        let naming = try await RelyingParty(fault: { Self.name(["RS256", "ES256"], at: $0) })
        #expect(try Self.algorithm(of: try await naming.signIn()) == "ES256")
    }

    // MARK: none and HMAC

    /// Makes the provider announce algorithms: `none` and HMAC are refused even if it names them.
    private static func name(_ algorithms: [String], at server: InProcessProvider) {
        let all = JSONValue.array(algorithms.map { .string($0) })
        server.inject(.responseMember("id_token_signing_alg_values_supported", all, at: .discovery))
    }

    @Test(arguments: [false, true])
    func `oidcc-client-test-idtoken-sig-none: a token without a signature is refused`(isNamed: Bool) async throws {
        let app = try await Self.app([.es256], fault: { if isNamed { Self.name(["none", "HS256", "ES256"], at: $0) } })
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.unsigned)) }
        #expect(refusal == IDTokenError(.algorithmNotAllowed))
    }

    @Test(arguments: [false, true])
    func `oidcc-client-test-invalid-sig-hs256: the client secret is not used as a key`(isNamed: Bool) async throws {
        let secret = "a-client-secret-of-more-than-thirty-two-bytes"
        let app = try await RelyingParty(
            .confidential(id: "web", secret: ClientSecret(secret)),
            configure: { $0.clients = [.confidential(id: "web", secret: secret)] },
            fault: { if isNamed { Self.name(["none", "HS256", "ES256"], at: $0) } }
        )
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.hs256)) }
        #expect(refusal == IDTokenError(.algorithmNotAllowed))
    }

    /// RFC 8725, 2.1: the public key used as a shared secret.
    @Test(arguments: [.es256, .rs256] as [InProcessProvider.SigningAlgorithm])
    func `oidcc-client-test-idtoken-sig-hs256: the public key is not used as a shared secret`(
        algorithm: InProcessProvider.SigningAlgorithm
    ) async throws {
        let app = try await Self.app([algorithm], fault: { Self.name(["HS256", algorithm.rawValue], at: $0) })
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.hs256)) }
        #expect(refusal == IDTokenError(.algorithmNotAllowed))
    }

    // MARK: Wrong signatures

    private static func refusalOfWrong(_ algorithm: InProcessProvider.SigningAlgorithm) async throws -> IDTokenError {
        try await app([algorithm]).idTokenRefusal { $0.inject(.signature(.wrong)) }
    }

    @Test func `oidcc-client-test-invalid-sig-rs256: a signature of another text is refused`() async throws {
        #expect(try await Self.refusalOfWrong(.rs256) == IDTokenError(.invalidSignature))
    }

    @Test func `oidcc-client-test-invalid-sig-ps256: a signature of another text is refused`() async throws {
        #expect(try await Self.refusalOfWrong(.ps256) == IDTokenError(.invalidSignature))
    }

    @Test func `oidcc-client-test-invalid-sig-es256: a signature of another text is refused`() async throws {
        #expect(try await Self.refusalOfWrong(.es256) == IDTokenError(.invalidSignature))
    }

    @Test(arguments: [.es384, .es512, .edDSA] as [InProcessProvider.SigningAlgorithm])
    func `a signature of another text is refused with every other algorithm`(
        algorithm: InProcessProvider.SigningAlgorithm
    ) async throws {
        #expect(try await Self.refusalOfWrong(algorithm) == IDTokenError(.invalidSignature))
    }

    @Test func `a key that the provider does not publish is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.unknownKey)) }
        #expect(refusal == IDTokenError(.unknownKey))
    }

    @Test func `a key in the token's header is ignored`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.keyInHeader)) }
        #expect(refusal == IDTokenError(.invalidSignature))
    }

    /// RFC 7515, 4.1.11.
    @Test func `an unknown critical extension is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.unknownCriticalHeader)) }
        #expect(refusal == IDTokenError(.extensionNotUnderstood))
    }

    // MARK: Tokens without a key ID

    private static func keyID(of tokens: OpenIDTokens) throws -> String? {
        try UnverifiedJWT(try #require(tokens.tokens.idToken)).header.keyID
    }

    @Test func `oidcc-client-test-kid-absent-single-jwks: a token may omit the ID of the only key`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.signature(.withoutKeyID))
        #expect(try Self.keyID(of: try await app.signIn()) == nil)
    }

    /// The module allows a relying party to refuse or to try all keys; this one refuses, as the key is ambiguous.
    @Test func `oidcc-client-test-kid-absent-multiple-jwks: a token must name one of several keys`() async throws {
        let app = try await RelyingParty()
        app.server.rotateKeys(keepingOld: true)
        let refusal = try await app.idTokenRefusal { $0.inject(.signature(.withoutKeyID)) }
        #expect(refusal == IDTokenError(.ambiguousKey))
    }

    @Test func `a token may omit the key ID if only one key fits its algorithm`() async throws {
        let app = try await Self.app([.edDSA, .es256, .es384])
        app.server.inject(.signature(.withoutKeyID))
        let tokens = try await app.signIn()
        #expect(try Self.keyID(of: tokens) == nil)
        #expect(try Self.algorithm(of: tokens) == "EdDSA")
    }

    // MARK: Several keys with one ID

    /// No key has an `alg`: only `kty`, `crv` and `use` tell them apart.
    ///
    /// [FAPI 2.0 Security Profile, 5.4.3](https://openid.net/specs/fapi-security-profile-2_0-final.html).
    @Test(arguments: [InProcessProvider.SigningAlgorithm.es256, .edDSA])
    func `of several keys with one key ID, the one of the token's type is used`(
        algorithm: InProcessProvider.SigningAlgorithm
    ) async throws {
        let forge = TokenForge()
        let edwards = Curve25519.Signing.PrivateKey()
        var encryption = TokenForge.jwk(of: P256.Signing.PrivateKey())
        encryption["use"] = .string("enc")
        var keys: [[String: JSONValue]] = [
            ["kty": .string("RSA"), "n": .string(ClientKeys.rsaModulus), "e": .string("AQAB")],
            encryption,
            TokenForge.jwk(of: forge.key),
            [
                "kty": .string("OKP"), "crv": .string("Ed25519"),
                "x": .string(Base64URL.encode(edwards.publicKey.rawRepresentation)),
            ],
        ]
        for index in keys.indices {
            keys[index]["kid"] = .string(TokenForge.keyID)
            keys[index]["alg"] = nil
        }
        forge.publish(keys)
        if algorithm == .edDSA {
            forge.change { token in
                token.header["alg"] = .string("EdDSA")
                token.sign = { Array(try edwards.signature(for: Data($0.utf8))) }
            }
        }
        let app = try await RelyingParty(
            configure: { $0.signingAlgorithms = [algorithm] },
            through: { forge.transport($0) }
        )
        #expect(try await app.signIn().idToken != nil)
    }
}
