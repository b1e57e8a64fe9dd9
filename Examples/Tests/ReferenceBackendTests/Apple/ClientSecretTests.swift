// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Crypto
import Foundation
import ResourceServer
import Testing

@testable import ReferenceBackend

@Suite("The backend's client secret at Apple")
struct ClientSecretTests {
    private let clock = TestClock()
    private let registration = AppleRegistration.standIn(apps: ["com.example.app"], publicURL: "https://umuve.example")

    private func secret() throws -> AppleClientSecret {
        try AppleClientSecret(registration, now: { [clock] in clock.now }, onIssue: nil)
    }

    @Test func `it is signed by the team's key, for Apple and one client, and lives for an hour`() async throws {
        let text = try await secret().text(for: "com.example.app.signin")
        let jws = try #require(CompactJWS(text))
        #expect(VerificationKey(try registration.checkedKey().publicKey).isValidSignature(of: jws))
        let claims = try JSONDecoder().decode(AppleClientSecret.Claims.self, from: jws.payload)
        #expect(claims.iss == registration.teamID)
        #expect(claims.sub == "com.example.app.signin")
        #expect(claims.aud == "https://appleid.apple.com")
        #expect(claims.iat == Int(clock.now.timeIntervalSince1970))
        #expect(claims.exp == claims.iat + 3_600)
        #expect(jws.header.kid == registration.keyID)
        #expect(jws.header.alg == "ES256")
    }

    @Test func `it is made anew ten minutes before it ends`() async throws {
        let secret = try secret()
        let first = try await secret.text(for: "a")
        clock.advance(by: .seconds(3_000))
        #expect(try await secret.text(for: "a") == first)
        clock.advance(by: .seconds(1))
        let second = try await secret.text(for: "a")
        #expect(second != first)
        #expect(try await secret.text(for: "a") == second)
    }

    @Test func `each client has its own`() async throws {
        let secret = try secret()
        let first = try await secret.text(for: "a")
        #expect(try await secret.text(for: "b") != first)
        #expect(try await secret.text(for: "a") == first)
    }

    @Test func `it is made anew if the clock was set back`() async throws {
        let secret = try secret()
        let first = try await secret.text(for: "a")
        clock.advance(by: .seconds(-86_400))
        #expect(try await secret.text(for: "a") != first)
    }

    @Test func `sign-ins go on through the renewal`() async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { server in
            let flow = AppleFlow(server: server)
            for _ in 0..<4 {
                let response = try await flow.signIn()
                #expect(response.status == 200)
                server.clock.advance(by: .seconds(3_001))
            }
            #expect(server.issued.all.count { $0.kind == .clientSecret } == 4)
        }
    }

    @Test(arguments: [
        "http://umuve.example", "https://127.0.0.1", "https://localhost", "https://umuve", "https://umuve.example/",
        "umuve.example", "https://umuve.example?a=b", "https://user@umuve.example", "https://10.0.0.1",
    ])
    func `a public address that Apple refuses keeps the backend from starting`(address: String) async throws {
        var registration = registration
        registration.publicURL = address
        await #expect(throws: BackendStartError.self) {
            try await TestBackend.run(configure: { $0.appleRegistration = registration }) { _ in }
        }
    }

    @Test func `a file that is no key keeps the backend from starting, and is not shown`() async throws {
        var registration = registration
        registration.privateKey = "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----"
        let error = await #expect(throws: BackendStartError.self) {
            try await TestBackend.run(configure: { $0.appleRegistration = registration }) { _ in }
        }
        #expect(error?.code == .invalidAppleSettings)
        #expect(error?.description.contains("secret") == false)
        var shown = "\(registration)"
        dump(registration, to: &shown)
        #expect(!shown.contains("PRIVATE"))
    }
}
