// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@Suite struct InProcessProviderRefreshTests {
    @Test func `a refresh replaces the tokens and keeps the sign-in`() async throws {
        let client = HandmadeClient()
        let first = try await client.signIn()
        client.clock.advance(by: .seconds(100))
        let second = try await client.refresh(first.refreshToken)
        #expect(second.status == 200)
        #expect(second.refreshToken != nil)
        #expect(second.refreshToken != first.refreshToken)
        let claims = try second.claims()
        #expect(claims["nonce"] == nil)
        #expect(claims["auth_time"] == .integer(1_800_000_000))
        #expect(claims["iat"] == .integer(1_800_000_100))
        #expect(client.provider.activeRefreshTokenCount == 1)
        #expect(client.provider.refreshCount == 1)
    }

    @Test func `a reused token gets the same response within the grace window`() async throws {
        let client = HandmadeClient()
        let first = try await client.signIn()
        let second = try await client.refresh(first.refreshToken)
        client.clock.advance(by: .seconds(10))
        #expect(try await client.refresh(first.refreshToken).text == second.text)
        #expect(client.provider.refreshCount == 1)
        #expect(try await client.refresh(second.refreshToken).status == 200)
    }

    @Test func `a token reused after the grace window ends the session`() async throws {
        let client = HandmadeClient()
        let first = try await client.signIn()
        let second = try await client.refresh(first.refreshToken)
        client.clock.advance(by: .milliseconds(10_001))
        #expect(try await client.refresh(first.refreshToken).error == "invalid_grant")
        #expect(try await client.refresh(second.refreshToken).error == "invalid_grant")
        #expect(try await client.get(.userInfo, token: second.accessToken).status == 401)
        #expect(client.provider.sessionsEndedByReuse == 1)
        #expect(client.provider.activeRefreshTokenCount == 0)
    }

    @Test func `only the last token has a grace window`() async throws {
        let client = HandmadeClient()
        let first = try await client.signIn()
        let second = try await client.refresh(first.refreshToken)
        _ = try await client.refresh(second.refreshToken)
        #expect(try await client.refresh(first.refreshToken).error == "invalid_grant")
        #expect(client.provider.sessionsEndedByReuse == 1)
    }

    @Test func `the refresh token stays the same without rotation`() async throws {
        let client = HandmadeClient { $0.rotatesRefreshTokens = false }
        let first = try await client.signIn()
        for _ in 0..<2 {
            let answer = try await client.refresh(first.refreshToken)
            #expect(answer.status == 200)
            #expect(answer["refresh_token"] == nil)
        }
    }

    @Test func `a refresh token expires, and another client can't use it`() async throws {
        var client = HandmadeClient { $0.refreshTokenLifetime = .seconds(1_000) }
        client.provider.register(.public(id: "other"))
        let tokens = try await client.signIn()
        client.id = "other"
        #expect(try await client.refresh(tokens.refreshToken).error == "invalid_grant")
        client.id = "native"
        client.clock.advance(by: .seconds(1_000))
        #expect(try await client.refresh(tokens.refreshToken).error == "invalid_grant")
    }

    @Test func `a refresh can narrow the scope and not widen it`() async throws {
        let client = HandmadeClient()
        let token = try await client.signIn(["scope": "openid offline_access"]).refreshToken ?? ""
        let form = ["grant_type": "refresh_token", "client_id": "native", "refresh_token": token]
        let wider = try await client.post(.token, form.merging(["scope": "openid email"]) { $1 })
        #expect(wider.error == "invalid_scope")
        let narrower = try await client.post(.token, form.merging(["scope": "openid"]) { $1 })
        #expect(narrower["scope"] == .string("openid"))
    }

    @Test func `a refresh whose response is lost is carried out once and can be repeated`() async throws {
        let client = HandmadeClient()
        let first = try await client.signIn()
        client.provider.inject(.dropResponse(at: .token))
        let error = await #expect(throws: TransportError.self) { try await client.refresh(first.refreshToken) }
        #expect(error?.code == .connectionClosed)
        #expect(error?.mayHaveReachedServer == true)
        #expect(client.provider.refreshCount == 1)
        #expect(try await client.refresh(first.refreshToken).status == 200)
        #expect(client.provider.refreshCount == 1)
    }

    @Test func `an administrator ends all sessions`() async throws {
        let client = HandmadeClient()
        let tokens = try await client.signIn()
        client.provider.endAllSessions()
        #expect(try await client.get(.userInfo, token: tokens.accessToken).status == 401)
        #expect(try await client.refresh(tokens.refreshToken).error == "invalid_grant")
        #expect(client.provider.sessionsEndedByReuse == 0)
    }
}
