// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Crypto
import HTTPTypes
import Testing

@Suite struct InProcessProviderDPoPTests {
    private let client = HandmadeClient()
    private let key = P256.Signing.PrivateKey()

    private func proof(_ method: String, _ endpoint: InProcessProvider.Endpoint) -> HandmadeProof {
        HandmadeProof(method, client.provider.url(of: endpoint), at: client.clock.date, by: key)
    }

    private func signIn(_ change: (inout HandmadeProof) -> Void = { _ in }) async throws -> HandmadeResponse {
        var proof = proof("POST", .token)
        change(&proof)
        return try await client.exchange(client.code(), ["DPoP": proof.text()])
    }

    private func userInfo(
        _ accessToken: String?,
        _ proof: HandmadeProof?,
        scheme: String = "DPoP"
    ) async throws -> HandmadeResponse {
        var fields = ["Authorization": "\(scheme) \(accessToken ?? "")"]
        fields["DPoP"] = try proof?.text()
        return try await client.send(.get, client.provider.url(of: .userInfo), fields)
    }

    @Test func `a proof binds the tokens to its key`() async throws {
        let tokens = try await signIn()
        #expect(tokens["token_type"] == .string("DPoP"))
        let good = proof("GET", .userInfo).bound(to: tokens.accessToken)
        #expect(try await userInfo(tokens.accessToken, good).status == 200)
        #expect(try await client.refresh(tokens.refreshToken).error == "invalid_grant")
        let refreshed = try await client.refresh(tokens.refreshToken, ["DPoP": proof("POST", .token).text()])
        #expect(refreshed["token_type"] == .string("DPoP"))
    }

    @Test func `a bound token is accepted only with a proof by its own key`() async throws {
        let token = try await signIn().accessToken
        #expect(try await userInfo(token, nil, scheme: "Bearer").status == 401)
        #expect(try await userInfo(token, nil).status == 401)
        let unbound = try await userInfo(token, proof("GET", .userInfo))
        #expect(unbound.field("WWW-Authenticate")?.contains("invalid_dpop_proof") == true)
        #expect(try await userInfo(token, proof("GET", .userInfo).bound(to: "other")).status == 401)
        let url = client.provider.url(of: .userInfo)
        let stranger = HandmadeProof("GET", url, at: client.clock.date, by: P256.Signing.PrivateKey())
        #expect(try await userInfo(token, stranger.bound(to: token)).status == 401)
    }

    @Test(
        arguments: [
            ("typ", .string("JWT")), ("alg", .string("ES384")), ("alg", .string("none")), ("jwk", nil),
            ("jwk", .object(["kty": .string("EC"), "crv": .string("P-256"), "x": .string("AA"), "y": .string("AA")])),
        ] as [(String, JSONValue?)]
    )
    func `a proof with a wrong header is refused`(name: String, value: JSONValue?) async throws {
        #expect(try await signIn { $0.header[name] = value }.error == "invalid_dpop_proof")
    }

    @Test(
        arguments: [
            ("htm", .string("GET")), ("htm", nil), ("htu", .string("https://provider.example/userinfo")),
            ("htu", .string("https://provider.example/token?a=b")), ("htu", nil), ("jti", nil), ("iat", nil),
            ("iat", .integer(1_799_999_939)), ("iat", .integer(1_800_000_061)),
        ] as [(String, JSONValue?)]
    )
    func `a proof with a wrong claim is refused`(name: String, value: JSONValue?) async throws {
        #expect(try await signIn { $0.claims[name] = value }.error == "invalid_dpop_proof")
    }

    @Test func `a proof signed by a key other than its own jwk is refused`() async throws {
        #expect(try await signIn { $0.key = P256.Signing.PrivateKey() }.error == "invalid_dpop_proof")
    }

    @Test func `a proof that contains its private key is refused`() async throws {
        let answer = try await signIn { proof in
            var jwk = proof.header["jwk"]?.object ?? [:]
            jwk["d"] = .string(Base64URL.encode(key.rawRepresentation))
            proof.header["jwk"] = .object(jwk)
        }
        #expect(answer.error == "invalid_dpop_proof")
    }

    @Test func `a request with two proofs is refused`() async throws {
        let fields = HTTPFields([
            HTTPField(name: try #require(HTTPField.Name("DPoP")), value: try proof("POST", .token).text()),
            HTTPField(name: try #require(HTTPField.Name("DPoP")), value: try proof("POST", .token).text()),
        ])
        #expect(
            try await client.post(.token, client.codeForm(client.code()), more: fields).error == "invalid_dpop_proof"
        )
    }

    @Test func `a proof is accepted once`() async throws {
        let text = try proof("POST", .token).text()
        #expect(try await client.exchange(client.code(), ["DPoP": text]).status == 200)
        #expect(try await client.exchange(client.code(), ["DPoP": text]).error == "invalid_dpop_proof")
    }

    @Test func `a code stays valid for a second attempt if the provider requires a nonce`() async throws {
        client.provider.configuration.requiresDPoPNonce = true
        let code = client.code()
        let first = try await client.exchange(code, ["DPoP": proof("POST", .token).text()])
        #expect(first.error == "use_dpop_nonce")
        let nonce = try #require(first.field("DPoP-Nonce"))
        var second = proof("POST", .token)
        second.claims["nonce"] = .string(nonce)
        let tokens = try await client.exchange(code, ["DPoP": second.text()])
        #expect(tokens.status == 200)
        #expect(tokens.field("DPoP-Nonce") == nonce)
        client.provider.rotateDPoPNonce()
        var third = proof("GET", .userInfo).bound(to: tokens.accessToken)
        third.claims["nonce"] = .string(nonce)
        let refused = try await userInfo(tokens.accessToken, third)
        #expect(refused.status == 401)
        #expect(refused.field("WWW-Authenticate")?.contains("use_dpop_nonce") == true)
        #expect(refused.field("DPoP-Nonce") != nonce)
    }

    @Test func `a code requested with a key is bound to that key`() async throws {
        let code = client.code(["dpop_jkt": "another-key"])
        #expect(try await client.exchange(code, ["DPoP": proof("POST", .token).text()]).error == "invalid_grant")
    }

    @Test func `a client that requires DPoP gets no token without a proof`() async throws {
        var native = InProcessProvider.Client.public(id: "native")
        native.requiresDPoP = true
        client.provider.register(native)
        #expect(try await client.signIn().error == "invalid_dpop_proof")
        #expect(try await signIn().status == 200)
    }
}
