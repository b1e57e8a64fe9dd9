// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import Testing

@Suite("Rotation of refresh tokens")
struct RotationTests {
    @Test func `a reused token gets the same response, byte for byte, within the grace window`() async throws {
        try await TestBackend.run { server in
            let pair = try await server.login()
            server.clock.advance(by: .milliseconds(1500))
            let first = try await server.refresh(pair.refresh)
            server.clock.advance(by: .seconds(10))
            let second = try await server.refresh(pair.refresh)
            #expect(first.status == 200)
            #expect(first.body == second.body)
        }
    }

    @Test func `fifty concurrent refreshes with one token get the same response`() async throws {
        try await TestBackend.run { server in
            let pair = try await server.login()
            let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<50 { group.addTask { try await server.refresh(pair.refresh).body } }
                return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
            }
            #expect(bodies.count == 1)
            #expect(server.backend.statistics.count("POST", "/api/v1/auth/refresh", status: 200) == 50)
        }
    }

    @Test func `a token reused after the grace window ends the whole family`() async throws {
        try await TestBackend.run { server in
            let first = try await server.login()
            let second = try server.pair(await server.refresh(first.refresh))
            server.clock.advance(by: .seconds(11))
            let answer = try await server.refresh(first.refresh)
            #expect(answer.status == 401)
            #expect(answer.code == "refresh_token_reused")
            #expect(answer.challenge == nil)
            #expect(try await server.refresh(second.refresh).code == "session_ended")
            for access in [first.access, second.access] {
                let answer = try await server.get("/api/jobs", bearer: access)
                #expect(answer.status == 401)
                #expect(answer.code == "session_ended")
            }
        }
    }

    @Test func `a token two rotations old counts as reused even within the grace window`() async throws {
        try await TestBackend.run { server in
            let first = try await server.login()
            let second = try server.pair(await server.refresh(first.refresh))
            _ = try await server.refresh(second.refresh)
            #expect(try await server.refresh(first.refresh).code == "refresh_token_reused")
        }
    }

    @Test func `reuse in one token family does not affect another family of the account`() async throws {
        try await TestBackend.run { server in
            let here = try await server.login()
            let there = try await server.login()
            _ = try await server.refresh(here.refresh)
            server.clock.advance(by: .seconds(11))
            #expect(try await server.refresh(here.refresh).code == "refresh_token_reused")
            #expect(try await server.refresh(there.refresh).status == 200)
        }
    }

    @Test func `a forged position in the family is refused without ending the family`() async throws {
        try await TestBackend.run { server in
            let pair = try await server.login()
            let parts = pair.refresh.split(separator: ".")
            for forged in ["\(parts[0]).7.\(parts[2])", "other.0.\(parts[2])", "\(parts[0]).00.\(parts[2])", "a", ""] {
                let answer = try await server.refresh(forged)
                #expect(answer.status == 401)
                #expect(answer.code == "invalid_refresh_token")
            }
            #expect(try await server.refresh(pair.refresh).status == 200)
        }
    }

    @Test func `the lifetime of a refresh token starts at its last rotation`() async throws {
        try await TestBackend.run(configure: { $0.refreshTokenLifetime = .seconds(100) }) { server in
            let first = try await server.login()
            server.clock.advance(by: .seconds(99))
            let second = try server.pair(await server.refresh(first.refresh))
            server.clock.advance(by: .seconds(100))
            let answer = try await server.refresh(second.refresh)
            #expect(answer.status == 401)
            #expect(answer.code == "refresh_token_expired")
        }
    }
}
