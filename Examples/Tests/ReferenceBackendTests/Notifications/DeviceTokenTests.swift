// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ReferenceBackend

@Suite("The devices that get notifications")
struct DeviceTokenTests {
    private static let path = "/api/notifications/token"

    private func run(_ test: (TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }, test)
    }

    private func body(_ token: String, platform: String = "ios") -> [String: String] {
        ["token": token, "platform": platform]
    }

    private func accountID(_ server: TestBackend, _ bearer: String) async throws -> String {
        try #require(try await server.get("/api/me", bearer: bearer).string("id"))
    }

    @Test func `a device is registered with a token of either contract, once`() async throws {
        try await run { server in
            let (session, access) = (try await server.sessionToken(), try await server.login().access)
            for bearer in [session, access] {
                let id = try await accountID(server, bearer)
                for _ in 0..<2 {
                    let response = try await server.post(Self.path, body("device-\(id)"), bearer: bearer)
                    #expect(response.status == 204)
                    #expect(response.body.isEmpty)
                }
                #expect(try await server.backend.deviceTokens(of: id) == ["device-\(id)"])
            }
            #expect(server.backend.statistics.count("POST", Self.path, status: 204) == 4)
        }
    }

    @Test func `a device belongs to the last account that registered it`() async throws {
        try await run { server in
            let (first, second) = (try await server.sessionToken(), try await server.login().access)
            let ids = (try await accountID(server, first), try await accountID(server, second))
            _ = try await server.post(Self.path, body("shared"), bearer: first)
            _ = try await server.post(Self.path, body("own"), bearer: first)
            _ = try await server.post(Self.path, body("shared"), bearer: second)
            #expect(try await server.backend.deviceTokens(of: ids.0) == ["own"])
            #expect(try await server.backend.deviceTokens(of: ids.1) == ["shared"])
        }
    }

    @Test func `a sign-out of contract B removes the devices of its session alone`() async throws {
        try await run { server in
            let (first, second) = (try await server.login(), try await server.login())
            let id = try await accountID(server, first.access)
            _ = try await server.post(Self.path, body("phone"), bearer: first.access)
            _ = try await server.post(Self.path, body("tablet"), bearer: second.access)
            #expect(try await server.logout(first).status == 204)
            #expect(try await server.backend.deviceTokens(of: id) == ["tablet"])
            #expect(try await server.post(Self.path, body("phone"), bearer: first.access).code == "session_ended")
        }
    }

    @Test func `a reused refresh token removes the devices of its session alone`() async throws {
        try await run { server in
            let (first, second) = (try await server.login(), try await server.login())
            let id = try await accountID(server, first.access)
            _ = try await server.post(Self.path, body("phone"), bearer: first.access)
            _ = try await server.post(Self.path, body("tablet"), bearer: second.access)
            _ = try await server.refresh(first.refresh)
            server.clock.advance(by: .seconds(11))
            #expect(try await server.refresh(first.refresh).code == "refresh_token_reused")
            #expect(try await server.backend.deviceTokens(of: id) == ["tablet"])
        }
    }

    @Test func `a device gets no notifications after its session has expired`() async throws {
        try await TestBackend.run(configure: { $0.refreshTokenLifetime = .seconds(100) }) { server in
            let access = try await server.login().access
            let id = try await accountID(server, access)
            _ = try await server.post(Self.path, body("phone"), bearer: access)
            server.clock.advance(by: .seconds(99))
            #expect(try await server.backend.deviceTokens(of: id) == ["phone"])
            server.clock.advance(by: .seconds(1))
            #expect(try await server.backend.deviceTokens(of: id).isEmpty)
        }
    }

    /// A registration whose session ends after the check of its token and before the insertion.
    @Test func `a session that has ended in the meantime gets no device`() async throws {
        try await run { server in
            let pair = try await server.login()
            let id = try await accountID(server, pair.access)
            let claims = BearerClaims(
                iss: BearerClaims.issuer,
                sub: id,
                aud: "access",
                iat: 0,
                exp: 0,
                jti: "",
                role: nil,
                fam: String(try #require(pair.refresh.split(separator: ".").first)),
                authTime: nil
            )
            let device = DeviceToken(token: "phone", platform: "ios")
            let database = try BackendDatabase(path: server.databasePath)
            defer { try? database.close() }
            let devices = DeviceTokenStore(database: database, now: { server.clock.now })
            try await devices.register(device, for: claims)
            #expect(try await devices.tokens(of: id) == ["phone"])
            #expect(try await server.logout(pair).status == 204)
            let error = await #expect(throws: APIFailure.self) { try await devices.register(device, for: claims) }
            #expect(error?.code == "session_ended")
            #expect(try await devices.tokens(of: id).isEmpty)
        }
    }

    @Test func `an account keeps its newest devices`() async throws {
        try await run { server in
            let bearer = try await server.sessionToken()
            for number in 0..<25 {
                _ = try await server.post(Self.path, body("device-\(number)"), bearer: bearer)
                server.clock.advance(by: .seconds(1))
            }
            let tokens = try await server.backend.deviceTokens(of: try await accountID(server, bearer))
            #expect(tokens == Set((5..<25).map { "device-\($0)" }))
        }
    }

    private static let invalid: [[String: String]] = [
        [:], ["token": "a"], ["platform": "ios"], ["token": "", "platform": "ios"], ["token": "a", "platform": ""],
        ["token": "a b", "platform": "ios"], ["token": "a\n", "platform": "ios"], ["token": "ä", "platform": "ios"],
        ["token": String(repeating: "a", count: 513), "platform": "ios"],
        ["token": "a", "platform": String(repeating: "a", count: 33)],
    ]

    @Test(arguments: invalid.indices)
    func `a token that no push service makes is refused`(index: Int) async throws {
        try await run { server in
            let bearer = try await server.sessionToken()
            let response = try await server.post(Self.path, Self.invalid[index], bearer: bearer)
            #expect(response.status == 400)
            #expect(response.code == "invalid_request")
        }
    }

    @Test func `a device without a token of a session is refused`() async throws {
        try await run { server in
            let anonymous = try await server.post(Self.path, body("a"))
            #expect(anonymous.code == "missing_token")
            let other = try await server.post(Self.path, body("a"), bearer: "wrong")
            #expect(other.code == "invalid_token")
        }
    }
}
