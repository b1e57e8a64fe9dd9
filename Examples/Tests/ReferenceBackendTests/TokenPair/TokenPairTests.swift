// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import Testing

@Suite("Contract B over HTTP")
struct TokenPairTests {
    @Test func `the right password signs in`() async throws {
        try await TestBackend.run { server in
            let answer = try await server.post("/api/v1/auth/login", TestBackend.loginBody)
            #expect(answer.status == 200)
            #expect(answer.user("email") == TestBackend.email)
            #expect(answer.string("tokenType") == "Bearer")
            #expect(answer.object["expiresIn"] as? Int == 900)
            #expect(answer.string("scope") == "openid email profile")
            #expect(answer.header("Cache-Control") == "no-store")
            let pair = try server.pair(answer)
            #expect(try await server.get("/api/me", bearer: pair.access).string("email") == TestBackend.email)
        }
    }

    @Test func `a wrong password and an unknown address get the same response`() async throws {
        try await TestBackend.run { server in
            var answers: [Data] = []
            for (name, value) in [("password", "wrong"), ("email", "nobody@example.com")] {
                var body = TestBackend.loginBody
                body[name] = value
                let answer = try await server.post("/api/v1/auth/login", body)
                #expect(answer.status == 401)
                #expect(answer.code == "invalid_credentials")
                answers.append(answer.body)
            }
            #expect(answers[0] == answers[1])
        }
    }

    @Test(arguments: ["email", "password", "rememberMe", "deviceInfo"])
    func `a login without one of its members is refused`(member: String) async throws {
        try await TestBackend.run { server in
            var body = TestBackend.loginBody
            body[member] = nil
            let answer = try await server.post("/api/v1/auth/login", body)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
            #expect(answer.message?.contains(member) == true)
        }
    }

    @Test func `too many logins get a Retry-After field`() async throws {
        try await TestBackend.run(configure: {
            $0.signInLimit = SignInLimit(attempts: 1, window: .seconds(30))
        }) { server in
            _ = try await server.login()
            let answer = try await server.post("/api/v1/auth/login", TestBackend.loginBody)
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After") == "30")
        }
    }

    @Test func `a refresh returns a new pair and no user`() async throws {
        try await TestBackend.run { server in
            let pair = try await server.login()
            let answer = try await server.refresh(pair.refresh)
            let next = try server.pair(answer)
            #expect(next.access != pair.access)
            #expect(next.refresh != pair.refresh)
            #expect(answer.object["user"] == nil)
            #expect(try await server.get("/api/jobs", bearer: next.access).status == 200)
        }
    }

    @Test func `an access token is refused after its lifetime`() async throws {
        try await TestBackend.run(configure: { $0.accessTokenLifetime = .seconds(5) }) { server in
            let pair = try await server.login()
            server.clock.advance(by: .seconds(4))
            #expect(try await server.get("/api/jobs", bearer: pair.access).status == 200)
            server.clock.advance(by: .seconds(1))
            let answer = try await server.get("/api/jobs", bearer: pair.access)
            #expect(answer.status == 401)
            #expect(answer.code == "token_expired")
            #expect(try await server.refresh(pair.refresh).status == 200)
        }
    }

    @Test func `a server with a fast clock refuses a token early`() async throws {
        try await TestBackend.run(configure: { $0.refuseEarly = .seconds(100) }) { server in
            let pair = try await server.login()
            server.clock.advance(by: .seconds(799))
            #expect(try await server.get("/api/jobs", bearer: pair.access).status == 200)
            server.clock.advance(by: .seconds(1))
            #expect(try await server.get("/api/jobs", bearer: pair.access).code == "token_expired")
        }
    }

    @Test func `a sign-out ends its session and no other session of the account`() async throws {
        try await TestBackend.run { server in
            let here = try await server.login()
            let there = try await server.login()
            #expect(try await server.logout(here).status == 204)
            #expect(try await server.get("/api/jobs", bearer: here.access).code == "session_ended")
            #expect(try await server.refresh(here.refresh).code == "session_ended")
            #expect(try await server.get("/api/jobs", bearer: there.access).status == 200)
            #expect(try await server.refresh(there.refresh).status == 200)
        }
    }

    @Test func `signing out twice succeeds`() async throws {
        try await TestBackend.run { server in
            let pair = try await server.login()
            #expect(try await server.logout(pair).status == 204)
            #expect(try await server.logout(pair).status == 204)
        }
    }

    @Test func `a sign-out with another session's refresh token is refused and does not end that session`()
        async throws
    {
        try await TestBackend.run { server in
            let here = try await server.login()
            let there = try await server.login()
            let mixed = TestBackend.Pair(access: here.access, refresh: there.refresh)
            let answer = try await server.logout(mixed)
            #expect(answer.status == 403)
            #expect(answer.code == "refresh_token_mismatch")
            #expect(try await server.refresh(there.refresh).status == 200)
        }
    }

    @Test func `signing out needs a Bearer token`() async throws {
        try await TestBackend.run { server in
            let pair = try await server.login()
            let answer = try await server.post("/api/v1/auth/logout", ["refreshToken": pair.refresh])
            #expect(answer.status == 401)
            #expect(answer.code == "missing_token")
        }
    }
}
