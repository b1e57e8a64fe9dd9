// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Crypto
import Foundation
import ReferenceBackend
import Testing

@Suite("Invalid identity tokens")
struct IdentityTokenTests {
    /// A defect of a properly signed token.
    enum Fault: String, CaseIterable, Sendable {
        case audience
        case issuer
        case noNonce
        case hashOfAnotherNonce
        case rawNonceInPlaceOfHash
        case expired
        case emptySubject

        var code: String {
            switch self {
            case .noNonce, .hashOfAnotherNonce, .rawNonceInPlaceOfHash: "nonce_mismatch"
            default: "invalid_identity_token"
            }
        }

        func apply(to claims: inout StandInClaims) {
            switch self {
            case .audience: claims.aud = "com.example.other"
            case .issuer: claims.iss = "https://appleid.example.com"
            case .noNonce: claims.nonce = nil
            case .hashOfAnotherNonce: claims.nonce = String(repeating: "0", count: 64)
            case .rawNonceInPlaceOfHash: claims.nonce = TestBackend.rawNonce
            case .expired: claims.exp = claims.iat
            case .emptySubject: claims.sub = ""
            }
        }
    }

    private func run(_ test: (TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }, test)
    }

    private func expectRefused(_ answer: TestResponse, _ code: String = "invalid_identity_token") {
        #expect(answer.status == 401)
        #expect(answer.code == code)
        #expect(answer.challenge == nil)
    }

    @Test(arguments: Fault.allCases)
    func `a signed token with a wrong claim is refused`(fault: Fault) async throws {
        try await run { server in
            var claims = try server.claims()
            fault.apply(to: &claims)
            expectRefused(try await server.signIn(server.standIn.key.sign(claims)), fault.code)
            #expect(server.issued.all.isEmpty)
        }
    }

    @Test func `a nonce other than the one that Apple received is refused`() async throws {
        try await run { server in
            let token = try server.standIn.key.sign(server.claims())
            let answer = try await server.signIn(token, nonce: String(repeating: "f", count: 64))
            expectRefused(answer, "nonce_mismatch")
        }
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "a", count: 65)])
    func `a malformed nonce is refused`(nonce: String) async throws {
        try await run { server in
            let token = try server.standIn.key.sign(server.claims())
            let answer = try await server.signIn(token, nonce: nonce)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
        }
    }

    @Test func `a token signed with another key under a known kid is refused`() async throws {
        try await run { server in
            let stranger = try StandInKey()
            let token = try stranger.sign(server.claims(), kid: server.standIn.key.id)
            expectRefused(try await server.signIn(token))
        }
    }

    @Test func `a token with another token's payload is refused`() async throws {
        try await run { server in
            let good = try server.standIn.key.sign(server.claims())
            let other = try server.standIn.key.sign(server.claims(email: "victim@example.com"))
            let parts = good.split(separator: "."), others = other.split(separator: ".")
            expectRefused(try await server.signIn("\(parts[0]).\(others[1]).\(parts[2])"))
        }
    }

    @Test func `an unsigned token is refused`() async throws {
        try await run { server in
            let token = try forged(#"{"alg":"none","kid":"test-key"}"#, claims: server.claims()) { _ in Data() }
            expectRefused(try await server.signIn(token))
        }
    }

    @Test func `a token authenticated with the public key as a shared secret is refused`() async throws {
        try await run { server in
            let secret = SymmetricKey(data: Data(try server.standIn.key.publicPEM.utf8))
            let token = try forged(#"{"alg":"HS256","kid":"test-key"}"#, claims: server.claims()) {
                Data(HMAC<SHA256>.authenticationCode(for: $0, using: secret))
            }
            expectRefused(try await server.signIn(token))
        }
    }

    @Test func `a token signed with a key of another type under a known kid is refused`() async throws {
        try await run { server in
            let key = SigningKey.p256(P256.Signing.PrivateKey())
            expectRefused(try await server.signIn(key.sign(server.claims(), kid: server.standIn.key.id)))
            let renamed = try forged(#"{"alg":"RS256","kid":"test-key"}"#, claims: server.claims(), sign: key.signature)
            expectRefused(try await server.signIn(renamed))
        }
    }

    @Test func `a token without a kid is refused`() async throws {
        try await run { server in
            let token = try server.standIn.key.signingKey.sign(server.claims())
            expectRefused(try await server.signIn(token))
        }
    }

    /// [RFC 7515, 4.1.11](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11): a critical header that is not
    /// understood makes the token invalid, even if the signature is right.
    @Test func `a token with a critical header is refused, and accepted without it`() async throws {
        try await run { server in
            let sign = try server.standIn.key.signingKey.signature
            let critical = #"{"alg":"RS256","kid":"test-key","crit":["example"],"example":true}"#
            expectRefused(try await server.signIn(forged(critical, claims: server.claims(), sign: sign)))
            #expect(server.issued.all.isEmpty)
            let plain = try forged(#"{"alg":"RS256","kid":"test-key"}"#, claims: server.claims(), sign: sign)
            #expect(try await server.signIn(plain).status == 200)
        }
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "..", "!!.!!.!!", String(repeating: "a", count: 20_000)])
    func `a malformed token is refused`(token: String) async throws {
        try await run { server in expectRefused(try await server.signIn(token)) }
    }

    @Test func `the stand-in is not trusted unless it is enabled`() async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { apple in
            try await TestBackend.run { server in
                let token = try apple.standIn.key.sign(apple.claims())
                expectRefused(try await server.signIn(token))
            }
        }
    }

    private func forged(_ header: String, claims: StandInClaims, sign: (Data) throws -> Data) throws -> String {
        let payload = try JSONEncoder().encode(claims)
        let input = Data(header.utf8).base64URL + "." + payload.base64URL
        return try input + "." + sign(Data(input.utf8)).base64URL
    }
}
