// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

@Suite("Contract A over HTTP")
struct SessionTokenTests {
    private func run(
        configure: (inout BackendSettings) -> Void = { _ in },
        _ test: (TestBackend) async throws -> Void
    ) async throws {
        try await TestBackend.run(
            configure: {
                $0.appleStandInPort = 0
                configure(&$0)
            },
            test
        )
    }

    @Test func `a verified identity token signs in with a token and a user`() async throws {
        try await run { server in
            let answer = try await server.signIn(name: "Eve")
            #expect(answer.status == 200)
            #expect(answer.object["success"] as? Bool == true)
            #expect(answer.string("token") != nil)
            #expect(answer.user("name") == "Eve")
            #expect(answer.user("email") == "eve@example.com")
            #expect(answer.user("role") == "customer")
        }
    }

    @Test func `signing in again restores the account and keeps its first name`() async throws {
        try await run { server in
            let first = try await server.signIn(name: "Eve")
            let second = try await server.signIn(name: "Mallory")
            #expect(first.user("id") == second.user("id"))
            #expect(second.user("name") == "Eve")
        }
    }

    @Test func `the email address of the body is ignored`() async throws {
        try await run { server in
            let token = try server.standIn.key.sign(server.claims())
            let answer = try await server.post(
                "/api/auth/apple",
                ["identity_token": token, "nonce": TestBackend.rawNonce, "email": "victim@example.com"]
            )
            #expect(answer.user("email") == "eve@example.com")
        }
    }

    @Test func `validate returns the user`() async throws {
        try await run { server in
            let answer = try await server.post("/api/auth/validate", bearer: server.sessionToken())
            #expect(answer.status == 200)
            #expect(answer.user("email") == "eve@example.com")
        }
    }

    @Test func `an expired token is refused as expired`() async throws {
        try await run { server in
            let token = try await server.sessionToken()
            server.clock.advance(by: .seconds(30 * 86_400))
            let answer = try await server.post("/api/auth/validate", bearer: token)
            #expect(answer.status == 401)
            #expect(answer.code == "token_expired")
            #expect(answer.challenge == #"Bearer error="invalid_token""#)
        }
    }

    @Test func `a refresh returns a new token each time, and the old one stays valid`() async throws {
        try await run { server in
            let token = try await server.sessionToken()
            let first = try await server.post("/api/auth/refresh", bearer: token)
            let second = try await server.post("/api/auth/refresh", bearer: token)
            let tokens = [token, first.string("token"), second.string("token")].compactMap(\.self)
            #expect(Set(tokens).count == 3)
            for token in tokens {
                #expect(try await server.post("/api/auth/validate", bearer: token).status == 200)
            }
        }
    }

    @Test func `a renewed token lives for 30 days from its refresh`() async throws {
        try await run { server in
            let token = try await server.sessionToken()
            server.clock.advance(by: .seconds(20 * 86_400))
            let renewed = try #require(try await server.post("/api/auth/refresh", bearer: token).string("token"))
            server.clock.advance(by: .seconds(30 * 86_400 - 1))
            #expect(try await server.post("/api/auth/validate", bearer: renewed).status == 200)
            server.clock.advance(by: .seconds(1))
            #expect(try await server.post("/api/auth/validate", bearer: renewed).code == "token_expired")
        }
    }

    @Test func `a token can be exchanged until seven days after its expiry and not after`() async throws {
        try await run { server in
            let token = try await server.sessionToken()
            server.clock.advance(by: .seconds(37 * 86_400 - 1))
            #expect(try await server.post("/api/auth/refresh", bearer: token).status == 200)
            server.clock.advance(by: .seconds(1))
            let answer = try await server.post("/api/auth/refresh", bearer: token)
            #expect(answer.status == 401)
            #expect(answer.code == "token_expired")
        }
    }

    @Test func `no session ends by its age unless the backend is told so`() async throws {
        try await run { server in
            var token = try await server.sessionToken()
            for _ in 0..<40 {
                server.clock.advance(by: .seconds(29 * 86_400))
                #expect(try await server.post("/api/auth/validate", bearer: token).status == 200)
                let answer = try await server.post("/api/auth/refresh", bearer: token)
                #expect(answer.status == 200)
                token = try #require(answer.string("token"))
            }
        }
    }

    @Test func `a session ends at its maximum age, however often it is refreshed`() async throws {
        try await run(configure: { $0.longestSession = .seconds(180 * 86_400) }) { server in
            var token = try await server.sessionToken()
            for _ in 0..<8 {
                server.clock.advance(by: .seconds(20 * 86_400))
                let answer = try await server.post("/api/auth/refresh", bearer: token)
                #expect(answer.status == 200)
                token = try #require(answer.string("token"))
            }
            server.clock.advance(by: .seconds(20 * 86_400 - 1))
            #expect(try await server.post("/api/auth/validate", bearer: token).status == 200)
            let last = try await server.post("/api/auth/refresh", bearer: token)
            #expect(last.status == 200)
            token = try #require(last.string("token"))
            server.clock.advance(by: .seconds(1))
            #expect(try await server.post("/api/auth/validate", bearer: token).code == "token_expired")
            let refused = try await server.post("/api/auth/refresh", bearer: token)
            #expect(refused.status == 401)
            #expect(refused.code == "session_ended")
            #expect(try await server.signIn().status == 200)
        }
    }

    @Test func `a shorter maximum session age ends older sessions`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (path, clock) = (folder.url.appending(path: "backend.sqlite").path(), TestClock())
        let tokens = Collected<String>()
        try await TestBackend.run(databasePath: path, clock: clock, configure: { $0.appleStandInPort = 0 }) { server in
            tokens.append(try await server.sessionToken())
        }
        clock.advance(by: .seconds(2 * 86_400))
        try await TestBackend.run(
            databasePath: path,
            clock: clock,
            configure: { $0.longestSession = .seconds(86_400) }
        ) { server async throws in
            for call in ["/api/auth/validate", "/api/auth/refresh"] {
                #expect(try await server.post(call, bearer: tokens.all[0]).code == "session_ended")
            }
            #expect(try await server.get("/api/me", bearer: tokens.all[0]).code == "session_ended")
        }
    }

    @Test func `one account cannot be both customer and driver`() async throws {
        try await run { server in
            _ = try await server.signIn(app: TestBackend.customerApp)
            let answer = try await server.signIn(app: TestBackend.driverApp)
            #expect(answer.status == 409)
            #expect(answer.code == "role_conflict")
            #expect(
                answer.message
                    == "This account is registered as a customer. Contact support to become a driver."
            )
        }
    }

    @Test func `a driver can't become a customer, and the message says so`() async throws {
        try await run { server in
            #expect(try await server.signIn(app: TestBackend.driverApp).user("role") == "driver")
            let answer = try await server.signIn(app: TestBackend.customerApp)
            #expect(
                answer.message
                    == "This account is registered as a driver. Contact support to become a customer."
            )
        }
    }

    @Test func `too many sign-ins get a Retry-After field`() async throws {
        try await run(configure: { $0.signInLimit = SignInLimit(attempts: 2, window: .seconds(60)) }) { server in
            for _ in 0..<2 { #expect(try await server.signIn().status == 200) }
            server.clock.advance(by: .seconds(20))
            let answer = try await server.signIn()
            #expect(answer.status == 429)
            #expect(answer.code == "rate_limited")
            #expect(answer.header("Retry-After") == "40")
            server.clock.advance(by: .seconds(40))
            #expect(try await server.signIn().status == 200)
        }
    }

    @Test func `an older client's identifier is refused unless it is enabled`() async throws {
        try await run { server in
            let answer = try await server.post("/api/auth/apple", ["userIdentifier": "001"])
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
        }
    }

    @Test func `an older client's identifier signs in to the verified account if it is enabled`() async throws {
        try await run(configure: { $0.insecurelyAcceptsUserIdentifier = true }) { server in
            let proved = try await server.signIn()
            let subject = try server.claims().sub
            let answer = try await server.post("/api/auth/apple", ["userIdentifier": subject])
            #expect(answer.status == 200)
            #expect(answer.user("id") == proved.user("id"))
        }
    }
}
