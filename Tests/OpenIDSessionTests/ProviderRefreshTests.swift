// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of a session that a refresh at a provider replaces, and those that it keeps.
@Suite(.timeLimit(.minutes(5)))
struct ProviderRefreshTests {
    @Test func `fifty callers with an expired token share one refresh`() async throws {
        let fixture = try await ProviderFixture.expired()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.session.accessToken().unredacted } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(fixture.receivedRefreshTokens.count == 1)
        #expect(fixture.provider.refreshCount == 1)
    }

    /// RFC 8707, 2.2: some servers issue a token for another API if the refresh names none.
    @Test(arguments: [false, true]) func `a refresh names the APIs of the sign-in, also in another process`(
        isInOtherProcess: Bool
    ) async throws {
        var parameters = AuthorizationParameters()
        parameters.resources = ["https://api.example"]
        let fixture = try await ProviderFixture.signedIn(asking: parameters)
        let session = isInOtherProcess ? fixture.otherProcess() : fixture.session
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(300))
            _ = try await session.accessToken()
            #expect(fixture.provider.requests(at: .token).last?.formValue("resource") == "https://api.example")
        }
        #expect(fixture.provider.refreshCount == 2)
        _ = try await session.accessToken(for: TokenTarget(scope: "profile"))
        #expect(fixture.provider.requests(at: .token).last?.formValue("resource") == "https://api.example")
    }

    @Test func `a rotated refresh token is stored and sent at the next refresh`() async throws {
        let fixture = try await ProviderFixture.expired()
        for generation in 1...3 {
            let before = try await fixture.storedRecord()
            let token = try await fixture.session.accessToken()
            _ = try await fixture.session.idToken(validFor: .seconds(250))
            let after = try await fixture.storedRecord()
            #expect(after.tokenGeneration == generation)
            #expect(after.tokens.accessToken == token)
            #expect(after.tokens.refreshToken != before.tokens.refreshToken)
            #expect(after.tokens.idToken != before.tokens.idToken)
            #expect(fixture.receivedRefreshTokens.last == before.tokens.refreshToken?.unredacted)
            fixture.clock.advance(by: .seconds(300))
        }
        #expect(fixture.provider.activeRefreshTokenCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a refresh token that is not rotated is used repeatedly`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.rotatesRefreshTokens = false
        let fixture = try await ProviderFixture.signedIn(configuration)
        for _ in 0..<2 { try await fixture.session.refresh() }
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.receivedRefreshTokens.count == 2)
    }

    @Test(arguments: ["refresh_token", "id_token", "scope"]) func `members that the response omits keep their values`(
        member: String
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.responseMember(member, nil))
        let token = try await fixture.session.accessToken()
        _ = try? await fixture.session.idToken()
        let after = try await fixture.storedRecord().tokens
        #expect(after.accessToken == token)
        #expect(after.accessToken != before.accessToken)
        #expect((after.refreshToken == before.refreshToken) == (member == "refresh_token"))
        #expect((after.idToken == before.idToken) == (member == "id_token"))
        #expect(after.scope == before.scope)
        #expect(after.scope != nil)
    }

    @Test func `a narrower scope is reported`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.responseMember("scope", .string("openid offline_access")))
        _ = try await fixture.session.accessToken()
        #expect(await fixture.session.missingScope?.description == "profile email")
        #expect(fixture.session.scope?.description == "openid offline_access")
    }

    @Test(
        arguments: [
            .claim("iss", .string("https://evil.example")), .claim("sub", .string("somebody-else")),
            .claim("aud", .string("another")), .claim("azp", .string("another")),
        ] as [InProcessProvider.Fault]
    )
    func `a response with an ID token for another user or client is rejected, and the session stays`(
        fault: InProcessProvider.Fault
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(fault)
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        #expect(fixture.session.state == fixture.signedInState)
        let after = try await fixture.storedRecord().tokens
        #expect(after == before)
        #expect(await fixture.session.inMemoryTokens == before)
    }

    @Test func `a token without expires_in is used until a server rejects it`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        fixture.provider.inject(.responseMember("expires_in", nil))
        try await fixture.session.completeSignIn(redirectedTo: callback)
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await fixture.session.accessToken() == token)
        #expect(fixture.receivedRefreshTokens.isEmpty)
        #expect(try await fixture.session.credential(insteadOf: token).accessToken != token)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `the expiry of a JWT access token applies if expires_in is missing`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.accessTokenFormat = .jwt
        let fixture = try await ProviderFixture(configuration)
        let callback = try await fixture.begin()
        fixture.provider.inject(.responseMember("expires_in", nil))
        try await fixture.session.completeSignIn(redirectedTo: callback)
        fixture.clock.advance(by: .seconds(300))
        _ = try await fixture.session.accessToken()
        #expect(fixture.provider.refreshCount == 1)
    }
}
