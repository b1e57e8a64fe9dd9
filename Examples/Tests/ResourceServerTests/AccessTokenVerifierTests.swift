// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import ResourceServer

@Suite("Access tokens")
struct AccessTokenVerifierTests {
    /// A defect of a properly signed token.
    enum Fault: String, CaseIterable, Sendable {
        case issuer
        case noIssuer
        case audience
        case noAudience
        case expired
        case noExpiry
        case notYetValid
        case emptySubject
        case noSubject
        case boundToCertificate
        case idTokenType
        case otherType
        case critical
        case unknownKid
        case noKid

        func token(of issuer: TestIssuer) throws -> String {
            let now = issuer.clock.seconds
            return switch self {
            case .issuer: try issuer.token(["iss": TestIssuer.url + "/"])
            case .noIssuer: try issuer.token(["iss": NSNull()])
            case .audience: try issuer.token(["aud": ["https://other.example.com"]])
            case .noAudience: try issuer.token(["aud": NSNull()])
            case .expired: try issuer.token(["exp": now - 60])
            case .noExpiry: try issuer.token(["exp": NSNull()])
            case .notYetValid: try issuer.token(["nbf": now + 61])
            case .emptySubject: try issuer.token(["sub": ""])
            case .noSubject: try issuer.token(["sub": NSNull()])
            case .boundToCertificate: try issuer.token(["cnf": ["x5t#S256": "abc"]])
            case .idTokenType: try issuer.token(header: ["typ": "JWT"])
            case .otherType: try issuer.token(header: ["typ": "dpop+jwt"])
            case .critical: try issuer.token(header: ["crit": ["exp"]])
            case .unknownKid: try issuer.token(header: ["kid": "unknown"])
            case .noKid: try issuer.token(header: ["kid": NSNull()])
            }
        }
    }

    private let issuer = TestIssuer(clock: TestClock())

    private func expectRefused(_ token: String) async throws {
        let verifier = try issuer.verifier()
        await #expect(throws: AccessTokenError(.invalidToken)) { try await verifier.verify(token) }
    }

    @Test func `a valid token yields its content`() async throws {
        let token = try issuer.token(["auth_time": issuer.clock.seconds - 5, "acr": "mfa"])
        let found = try await issuer.verifier().verify(token)
        #expect(found.subject == "ada")
        #expect(found.clientID == "app")
        #expect(found.scope == ["jobs.read", "jobs.write"])
        #expect(found.expires == issuer.clock.now.addingTimeInterval(300))
        #expect(found.authenticated == issuer.clock.now.addingTimeInterval(-5))
        #expect(found.authenticationContext == "mfa")
        #expect(found.keyThumbprint == nil)
    }

    @Test(arguments: Fault.allCases)
    func `a signed token with one defect is refused`(fault: Fault) async throws {
        try await expectRefused(fault.token(of: issuer))
    }

    @Test func `a token is accepted within the leeway, and in a list of audiences`() async throws {
        let now = issuer.clock.seconds
        let token = try issuer.token(["exp": now - 59, "nbf": now + 60, "aud": ["other", TestIssuer.audience]])
        #expect(try await issuer.verifier().verify(token).subject == "ada")
    }

    @Test func `a leeway of more than 60 seconds is 60 seconds`() async throws {
        let set = try TestIssuer.set([issuer.jwk])
        let verifier = AccessTokenVerifier(
            issuer: TestIssuer.url,
            audience: TestIssuer.audience,
            keys: RemoteJWKSet { set },
            leeway: .seconds(3_600),
            now: { [clock = issuer.clock] in clock.now }
        )
        let token = try issuer.token(["exp": issuer.clock.seconds - 60])
        await #expect(throws: AccessTokenError(.invalidToken)) { try await verifier.verify(token) }
    }

    @Test func `a token of type JWT, or of none, is accepted if the setting says so`() async throws {
        for type in ["JWT", NSNull()] as [Any] {
            let token = try issuer.token(header: ["typ": type])
            #expect(try await issuer.verifier(type: .anyJWT).verify(token).subject == "ada")
        }
    }

    @Test func `an unsigned token is refused`() async throws {
        let header = issuer.header.merging(["alg": "none"]) { $1 }
        try await expectRefused(TestJWT.make(header: header, claims: issuer.claims) { _ in Data() })
    }

    @Test func `a token authenticated with the public key as a shared secret is refused`() async throws {
        let header = issuer.header.merging(["alg": "HS256"]) { $1 }
        for secret in [Data(issuer.key.publicKey.pemRepresentation.utf8), issuer.key.publicKey.rawRepresentation] {
            let token = try TestJWT.make(header: header, claims: issuer.claims) {
                Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: secret)))
            }
            try await expectRefused(token)
        }
    }

    @Test func `a token that another key signed is refused`() async throws {
        try await expectRefused(TestIssuer(clock: issuer.clock).token())
    }

    @Test func `a token with the claims of another token is refused`() async throws {
        let parts = try issuer.token().split(separator: ".")
        let others = try issuer.token(["sub": "eve"]).split(separator: ".")
        try await expectRefused("\(parts[0]).\(others[1]).\(parts[2])")
    }

    @Test func `an over-long token is refused`() async throws {
        try await expectRefused(issuer.token(["padding": String(repeating: "a", count: 16_384)]))
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "..", "!!.!!.!!", "e30.e30.e30.e30"])
    func `a malformed token is refused`(token: String) async throws {
        try await expectRefused(token)
    }

    @Test func `a token signed with RS256 is accepted, and refused if it names ES256`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        let set = try TestIssuer.set([
            [
                "kty": "RSA", "kid": "rsa", "alg": "RS256", "n": Base64URL.encode(numbers.modulus),
                "e": Base64URL.encode(numbers.publicExponent),
            ]
        ])
        let verifier = issuer.verifier(keys: RemoteJWKSet { set })
        func token(_ algorithm: String) throws -> String {
            let header = issuer.header.merging(["alg": algorithm, "kid": "rsa"]) { $1 }
            return try TestJWT.make(header: header, claims: issuer.claims) {
                try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation
            }
        }
        #expect(try await verifier.verify(token("RS256")).subject == "ada")
        let confused = try token("ES256")
        await #expect(throws: AccessTokenError(.invalidToken)) { try await verifier.verify(confused) }
    }
}
