// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import Testing

@testable import ReferenceBackend
@testable import ResourceServer

@Suite("Apple's key set")
struct KeySetTests {
    /// Runs a test with a backend that trusts a stand-in on another backend's port as Apple: same issuer, another URL.
    private func run(_ test: (_ server: TestBackend, _ apple: TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { apple in
            let keys = try apple.standIn.trust.jwksURI
            try await TestBackend.run(clock: apple.clock, configure: { $0.apple.jwksURI = keys }) { server in
                try await test(server, apple)
            }
        }
    }

    private func appleClaims(_ apple: TestBackend) throws -> StandInClaims {
        var claims = try apple.claims()
        claims.iss = "https://appleid.apple.com"
        return claims
    }

    private func fetches(_ apple: TestBackend) throws -> Int {
        try apple.standIn.statistics.count("GET", "/auth/keys")
    }

    @Test func `a backend trusts Apple's issuer and fetches Apple's key set unless told otherwise`() {
        let apple = BackendSettings(databasePath: "").apple
        #expect(apple.issuer == "https://appleid.apple.com")
        #expect(apple.jwksURI == "https://appleid.apple.com/auth/keys")
    }

    @Test func `the key set is fetched once for many sign-ins`() async throws {
        try await run { server, apple in
            let token = try apple.standIn.key.sign(appleClaims(apple))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 { group.addTask { try await server.signIn(token).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try fetches(apple) == 1)
        }
    }

    @Test func `the key set is cached for 24 hours`() async throws {
        try await run { server, apple in
            for (pause, expected) in [(0, 1), (86_399, 1), (1, 2)] {
                apple.clock.advance(by: .seconds(pause))
                let token = try apple.standIn.key.sign(appleClaims(apple))
                #expect(try await server.signIn(token).status == 200)
                #expect(try fetches(apple) == expected)
            }
        }
    }

    @Test func `an unknown kid fetches the key set again, at most once a minute`() async throws {
        try await run { server, apple in
            let unknown = try apple.standIn.key.sign(appleClaims(apple), kid: "unknown")
            for (pause, expected) in [(0, 1), (0, 1), (59, 1), (1, 2), (0, 2), (60, 3)] {
                apple.clock.advance(by: .seconds(pause))
                #expect(try await server.signIn(unknown).code == "invalid_identity_token")
                #expect(try fetches(apple) == expected)
            }
        }
    }

    @Test func `a sign-in gets status 503 if the key set can't be fetched`() async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { apple in
            try await TestBackend.run(configure: { $0.apple.jwksURI = "http://127.0.0.1:1/keys" }) { server in
                let token = try apple.standIn.key.sign(appleClaims(apple))
                let answer = try await server.signIn(token)
                #expect(answer.status == 503)
                #expect(answer.code == "identity_provider_unavailable")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a request for the key set that stalls times out`() async throws {
        try await StallingServer.run { url in
            let request = JWKSetRequest(client: .shared, url: url, timeout: .milliseconds(200))
            await #expect(throws: JWKSetRequest.Failure.timeout) { try await request.send() }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a call to another server that stalls times out`() async throws {
        try await StallingServer.run { url in
            let call = OutgoingCall(client: .shared, timeout: .milliseconds(200))
            await #expect(throws: OutgoingCall.TookTooLong.self) { try await call.send(HTTPClientRequest(url: url)) }
        }
    }
}
