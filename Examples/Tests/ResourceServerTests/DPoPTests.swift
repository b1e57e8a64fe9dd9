// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ResourceServer

@Suite("DPoP proofs")
struct DPoPTests {
    /// A defect of a properly signed proof.
    enum Fault: String, CaseIterable, Sendable {
        case method
        case path
        case host
        case stale
        case future
        case accessTokenHash
        case noAccessTokenHash
        case noIdentifier
        case type
        case algorithm
        case privateKey
        case otherKeyInHeader
        case noKey

        func apply(to proof: inout TestProof) {
            let now = proof.clock.seconds
            switch self {
            case .method: proof.claims["htm"] = "POST"
            case .path: proof.claims["htu"] = TestAPI.url + "/jobs/1"
            case .host: proof.claims["htu"] = "https://other.example.com/jobs"
            case .stale: proof.claims["iat"] = now - 61
            case .future: proof.claims["iat"] = now + 61
            case .accessTokenHash: proof.claims["ath"] = Base64URL.encode(SHA256.hash(data: Data("other".utf8)))
            case .noAccessTokenHash: proof.claims["ath"] = NSNull()
            case .noIdentifier: proof.claims["jti"] = NSNull()
            case .type: proof.header["typ"] = "JWT"
            case .algorithm: proof.header["alg"] = "HS256"
            case .privateKey:
                proof.header["jwk"] = TestJWT.jwk(proof.key.publicKey).merging(["d": "abc"]) { $1 }
            case .otherKeyInHeader: proof.header["jwk"] = TestJWT.jwk(P256.Signing.PrivateKey().publicKey)
            case .noKey: proof.header["jwk"] = NSNull()
            }
        }
    }

    private let issuer: TestIssuer
    private let proof: TestProof
    private let token: String
    private let api: TestAPI

    init() throws {
        issuer = TestIssuer(clock: TestClock())
        proof = TestProof(clock: issuer.clock)
        token = try issuer.token(["cnf": ["jkt": proof.thumbprint]])
        api = TestAPI(try issuer.verifier(), clock: issuer.clock)
    }

    private func expectRefused(_ proofs: [String]) async throws {
        let response = try await api.send(authorization: ["DPoP \(token)"], proofs: proofs)
        #expect(response.status == .unauthorized)
        #expect(response.challenges == [#"DPoP error="invalid_dpop_proof", algs="ES256""#])
    }

    @Test func `a bound token with its proof is accepted`() async throws {
        let response = try await api.send(authorization: ["DPoP \(token)"], proofs: [proof.signed(for: token)])
        #expect(response.status == .ok)
    }

    @Test(arguments: ["/jobs?page=2", "/jobs"])
    func `a proof is compared without the query, and with the URL in its normal form`(path: String) async throws {
        var proof = proof
        proof.claims["htu"] = "HTTPS://API.example.com:443/jobs?x=1#y"
        let response = try await api.send(
            .get,
            path,
            authorization: ["dpop \(token)"],
            proofs: [proof.signed(for: token)]
        )
        #expect(response.status == .ok)
    }

    @Test(arguments: Fault.allCases)
    func `a proof with one defect is refused`(fault: Fault) async throws {
        var proof = proof
        fault.apply(to: &proof)
        try await expectRefused([proof.signed(for: token)])
    }

    @Test func `a proof by another key is refused`() async throws {
        try await expectRefused([TestProof(clock: issuer.clock).signed(for: token)])
    }

    @Test func `a proof is accepted once`() async throws {
        let signed = try proof.signed(for: token)
        #expect(try await api.send(authorization: ["DPoP \(token)"], proofs: [signed]).status == .ok)
        try await expectRefused([signed])
        issuer.clock.advance(by: 60)
        try await expectRefused([signed])
    }

    @Test func `a missing proof is refused, and so are two`() async throws {
        try await expectRefused([])
        try await expectRefused([proof.signed(for: token), proof.signed(for: token)])
    }

    @Test func `a bound token is no bearer token, with or without its proof`() async throws {
        for proofs in [[], [try proof.signed(for: token)]] {
            let response = try await api.send(authorization: ["Bearer \(token)"], proofs: proofs)
            #expect(response.status == .unauthorized)
            #expect(response.challenges == [#"DPoP error="invalid_token", algs="ES256""#])
        }
    }

    @Test func `a bearer token is refused with the scheme DPoP`() async throws {
        let bearer = try issuer.token()
        let response = try await api.send(authorization: ["DPoP \(bearer)"], proofs: [proof.signed(for: bearer)])
        #expect(response.status == .unauthorized)
        #expect(response.challenges == [#"DPoP error="invalid_token", algs="ES256""#])
    }

    @Test func `the holder of one key can't keep the proofs of another out`() {
        let cache = DPoPReplayCache(lifetime: 120)
        let clock = issuer.clock
        var count = 0
        while cache.record("\(count)", key: "one", at: clock.now) == .recorded { count += 1 }
        #expect(count >= 1_000)
        #expect(cache.record("more", key: "one", at: clock.now) == .full)
        #expect(cache.record("0", key: "one", at: clock.now) == .replayed)
        #expect(cache.record("0", key: "two", at: clock.now) == .recorded)
        clock.advance(by: 120)
        #expect(cache.record("more", key: "one", at: clock.now) == .recorded)
    }

    @Test func `a full cache accepts no further proof until the old ones can't be used any more`() {
        let cache = DPoPReplayCache(lifetime: 120, capacity: 2)
        let clock = issuer.clock
        #expect(cache.record("a", key: "k", at: clock.now) == .recorded)
        #expect(cache.record("b", key: "k", at: clock.now) == .recorded)
        #expect(cache.record("c", key: "k", at: clock.now) == .full)
        clock.advance(by: 120)
        #expect(cache.record("a", key: "k", at: clock.now) == .replayed)
        #expect(cache.record("c", key: "k", at: clock.now) == .recorded)
        clock.advance(by: 240)
        #expect(cache.record("a", key: "k", at: clock.now) == .recorded)
    }
}
