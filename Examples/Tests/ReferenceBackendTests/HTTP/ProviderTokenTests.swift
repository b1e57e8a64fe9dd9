// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ReferenceBackend

@Suite("Access tokens of a provider")
struct ProviderTokenTests {
    private struct Claims: Encodable {
        var iss: String
        var aud: String
        var sub: String
        var exp: Int
    }

    private static let path = "/api/provider/jobs"
    private static let audience = "https://api.example.com"

    /// Runs a test with a backend that trusts the key of another backend's stand-in for Apple.
    private func run(_ test: (_ server: TestBackend, _ provider: TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { provider in
            let trust = try provider.standIn.trust
            let settings = ProviderSettings(
                issuer: trust.issuer,
                audience: Self.audience,
                jwksURI: trust.jwksURI,
                baseURL: Self.audience
            )
            try await TestBackend.run(clock: provider.clock, configure: { $0.provider = settings }) { server in
                try await test(server, provider)
            }
        }
    }

    private func token(_ provider: TestBackend, audience: String = ProviderTokenTests.audience) throws -> String {
        let standIn = try provider.standIn
        let claims = Claims(
            iss: standIn.trust.issuer,
            aud: audience,
            sub: "ada",
            exp: Int(provider.clock.now.timeIntervalSince1970) + 60
        )
        return try standIn.key.sign(claims, type: "at+jwt")
    }

    @Test func `a provider's access token is accepted at its route alone`() async throws {
        try await run { server, provider in
            let token = try token(provider)
            #expect(try await server.get(Self.path, bearer: token).status == 200)
            #expect(try await server.get("/api/jobs", bearer: token).code == "invalid_token")
        }
    }

    @Test func `an access token for another API is refused in the backend's format`() async throws {
        try await run { server, provider in
            let answer = try await server.get(Self.path, bearer: token(provider, audience: "https://other.example.com"))
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_token")
            #expect(answer.challenge == #"Bearer error="invalid_token""#)
        }
    }

    @Test func `the backend's own token is refused at the provider's route`() async throws {
        try await run { server, _ in
            let answer = try await server.get(Self.path, bearer: server.login().access)
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_token")
        }
    }

    @Test func `the route does not exist without a provider`() async throws {
        try await TestBackend.run { server in
            let token = try await server.login().access
            #expect(try await server.get(Self.path, bearer: token).status == 404)
        }
    }
}
