// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import HTTPTypes
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The clauses about algorithms, keys and secrets.
///
/// [FAPI 2.0 Security Profile, 5.4](https://openid.net/specs/fapi-security-profile-2_0-final.html).
@Suite struct FAPI2CryptographyTests {
    private let dpopKey = DPoPKey()

    @Test(arguments: SignatureAlgorithm.all)
    func `FAPI 5.4.1, item 1: an assertion has an allowed algorithm`(algorithm: SignatureAlgorithm) async throws {
        let key = ClientAssertionKey(algorithm: algorithm) { _ in throw TokenFormatError(.empty, in: "key") }
        let app = try await RelyingParty.fapi2(.confidential(id: FAPI2Client.id, key: key))
        if [.ps256, .es256, .edDSA].contains(algorithm) {
            // The request is allowed, and the signer refuses.
            await #expect(throws: ClientAssertionError(.signingFailed)) { try await app.signIn(dpopKey: dpopKey) }
        } else {
            await app.expectRefusal(.assertionAlgorithm) { _ = try await app.signIn(dpopKey: dpopKey) }
        }
    }

    /// The provider can't verify PS256.
    ///
    /// The transport does so in its place, and forwards the request as one of a public client.
    @Test func `FAPI 5.4.1, item 1: a sign-in with PS256 signs the assertion of each request`() async throws {
        let key = try ClientAssertionKey(pem: ClientKeys.rsa, algorithm: .ps256)
        let publicKey = try #require(key.publicJWK.flatMap { JSONWebKey($0) })
        let app = try await RelyingParty.fapi2(
            .confidential(id: FAPI2Client.id, key: key),
            configure: { $0.clients = [.public(id: FAPI2Client.id)] },
            through: { server in
                ChangedTransport(
                    base: server,
                    changeRequest: { request in
                        guard request.head.method == .post else { return }
                        request.changeForm { Self.withoutAssertion($0, signedBy: publicKey) }
                    }
                )
            }
        )
        #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
        #expect(app.server.requests(at: .pushedAuthorizationRequest).map(\.status) == [201])
        #expect(app.server.requests(at: .token).map(\.status) == [200])
    }

    /// Returns a form without its assertion; an empty form, which is refused, if the assertion is not valid.
    private static func withoutAssertion(
        _ form: [(String, String)],
        signedBy key: JSONWebKey
    ) -> [(String, String)] {
        let assertion = form.first { $0.0 == "client_assertion" }?.1 ?? ""
        guard let token = try? UnverifiedJWT(assertion), token.header.algorithm == "PS256",
            JSONWebSignature.isValid(assertion, by: key, with: .ps256)
        else { return [] }
        return form.filter { !$0.0.hasPrefix("client_assertion") }
    }

    @Test(arguments: [InProcessProvider.SigningAlgorithm.es384, .es512, .rs256])
    func `FAPI 5.4.1, item 1: another ID token is refused`(
        algorithm: InProcessProvider.SigningAlgorithm
    ) async throws {
        let app = try await RelyingParty.fapi2(configure: { $0.signingAlgorithms = [algorithm] })
        let error = await #expect(throws: TokenEndpointError.self) { try await app.signIn(dpopKey: dpopKey) }
        #expect((error?.underlying as? IDTokenError)?.code == .algorithmNotAllowed)
        let free = try await RelyingParty.fapi2(policy: .standard, configure: { $0.signingAlgorithms = [algorithm] })
        #expect(try await free.signIn().idToken != nil)
    }

    @Test(arguments: [InProcessProvider.SigningAlgorithm.es256, .ps256, .edDSA])
    func `FAPI 5.4.1, item 1: an ID token with an allowed algorithm is accepted`(
        algorithm: InProcessProvider.SigningAlgorithm
    ) async throws {
        let app = try await RelyingParty.fapi2(configure: { $0.signingAlgorithms = [algorithm] })
        #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
    }

    @Test func `FAPI 5.4.1, item 1: another userinfo response is refused`() async throws {
        let sign: (inout InProcessProvider.Configuration) -> Void = {
            $0.signingAlgorithms = [.es256, .es384]
            $0.clients[0].userInfoAlgorithm = .es384
        }
        let app = try await RelyingParty.fapi2(configure: sign)
        let tokens = try await app.signIn(dpopKey: dpopKey)
        let error = await #expect(throws: UserInfoError.self) { try await app.userInfo(tokens, dpopKey: dpopKey) }
        #expect((error?.underlying as? IDTokenError)?.code == .algorithmNotAllowed)
        let free = try await RelyingParty.fapi2(policy: .standard, configure: sign)
        let others = try await free.signIn()
        _ = try await free.userInfo(others)
    }

    @Test func `FAPI 5.4.1, item 1: an ID token without a signature is refused`() async throws {
        let app = try await RelyingParty.fapi2()
        app.server.inject(.signature(.unsigned))
        await #expect(throws: TokenEndpointError(.invalidIDToken)) { try await app.signIn(dpopKey: dpopKey) }
    }

    @Test func `FAPI 5.4.1, item 1: a DPoP proof is signed with ES256`() async throws {
        let app = try await RelyingParty.fapi2()
        _ = try await app.signIn(dpopKey: dpopKey)
        let proofs = app.server.requests.compactMap { $0.fields[.dpop] }
        #expect(proofs.count == 2)
        for proof in proofs { #expect(try UnverifiedJWT(proof).header.algorithm == "ES256") }
    }

    @Test func `FAPI 5.4.1, item 2: an RSA key of fewer than 2048 bits is refused`() {
        #expect(throws: ClientAssertionError(.keyTooShort)) {
            try ClientAssertionKey(pem: ClientKeys.shortRSA, algorithm: .ps256)
        }
    }

    @Test(arguments: [("P-192", 24), ("secp160r1", 20)])
    func `FAPI 5.4.1, item 3: a key on a curve of fewer than 224 bits is refused`(curve: String, size: Int) {
        let coordinate = JSONValue.string(Base64URL.encode([UInt8](repeating: 1, count: size)))
        #expect(JSONWebKey(["kty": .string("EC"), "crv": .string(curve), "x": coordinate, "y": coordinate]) == nil)
    }

    @Test func `FAPI 5.4.1, item 4: what the client makes has at least 128 bits`() async throws {
        let app = try await RelyingParty.fapi2()
        let request = app.request(dpopKey: dpopKey)
        _ = try await app.provider.authorizationURL(for: request)
        let sent = try app.onlyRequest(at: .pushedAuthorizationRequest).formValue("client_assertion")
        let assertion = try UnverifiedJWT(try #require(sent))
        let id = try #require(assertion.claims.all["jti"]?.string)
        for text in [id, request.state.unredacted, request.codeVerifier.unredacted] {
            let bytes = try #require(Base64URL.decode(text.utf8))
            #expect(bytes.count >= 16)
        }
    }

    // MARK: 5.4.3 Duplicate key identifiers

    /// No key has an `alg`: only `kty`, `crv` and `use` tell them apart.
    @Test(arguments: [InProcessProvider.SigningAlgorithm.es256, .edDSA])
    func `FAPI 5.4.3: of several keys with one key ID, the one of the token's type is used`(
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
        let app = try await RelyingParty.fapi2(
            configure: { $0.signingAlgorithms = [algorithm] },
            through: { forge.transport($0) }
        )
        #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
    }
}
