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
    @Test func `fifty callers with an expired token make one refresh`() async throws {
        let fixture = try await ProviderFixture.expired()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.session.accessToken().unredacted } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(fixture.shownRefreshTokens.count == 1)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a refresh token that rotates is kept, and shown the next time`() async throws {
        let fixture = try await ProviderFixture.expired()
        for generation in 1...3 {
            let before = try await fixture.storedRecord()
            let token = try await fixture.session.accessToken()
            #expect(await fixture.session.idTokenError == nil)
            let after = try await fixture.storedRecord()
            #expect(after.generation == generation)
            #expect(after.tokens.accessToken == token)
            #expect(after.tokens.refreshToken != before.tokens.refreshToken)
            #expect(after.tokens.idToken != before.tokens.idToken)
            #expect(fixture.shownRefreshTokens.last == before.tokens.refreshToken?.unredacted)
            fixture.clock.advance(by: .seconds(300))
        }
        #expect(fixture.provider.activeRefreshTokenCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a refresh token that stays serves again and again`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.rotatesRefreshTokens = false
        let fixture = try await ProviderFixture.signedIn(configuration)
        for _ in 0..<2 { try await fixture.session.refresh() }
        #expect(Set(fixture.shownRefreshTokens).count == 1)
        #expect(fixture.shownRefreshTokens.count == 2)
    }

    @Test(arguments: ["refresh_token", "id_token", "scope"]) func `what the answer leaves out stays as it was`(
        member: String
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.removingResponseMember(member))
        let token = try await fixture.session.accessToken()
        #expect(await fixture.session.idTokenError == nil)
        let after = try await fixture.storedRecord().tokens
        #expect(after.accessToken == token)
        #expect(after.accessToken != before.accessToken)
        #expect((after.refreshToken == before.refreshToken) == (member == "refresh_token"))
        #expect((after.idToken == before.idToken) == (member == "id_token"))
        #expect(after.scope == before.scope)
        #expect(after.scope != nil)
    }

    @Test func `a narrower scope is told of`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.responseMember("scope", .string("openid offline_access")))
        _ = try await fixture.session.accessToken()
        #expect(await fixture.session.missingScope?.description == "profile email")
    }

    @Test(
        arguments: [
            .claim("iss", .string("https://evil.example")), .claim("sub", .string("somebody-else")),
            .claim("aud", .string("another")), .claim("azp", .string("another")),
        ] as [InProcessProvider.Fault]
    )
    func `of an answer about somebody else nothing is taken, and the session stays`(
        fault: InProcessProvider.Fault
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(fault)
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        #expect(fixture.session.state == fixture.signedInState)
        let after = try await fixture.storedRecord().tokens
        #expect(after == before)
        #expect(await fixture.session.heldTokens == before)
    }

    @Test func `without expires_in the token is sent until it is refused`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        fixture.provider.inject(.removingResponseMember("expires_in"))
        try await fixture.session.completeSignIn(redirectedTo: callback)
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await fixture.session.accessToken() == token)
        #expect(fixture.shownRefreshTokens.isEmpty)
        #expect(try await fixture.session.accessToken(insteadOf: token) != token)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `an access token that says itself when it ends is heard where expires_in is absent`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.accessTokenFormat = .jwt
        let fixture = try await ProviderFixture(configuration)
        let callback = try await fixture.begin()
        fixture.provider.inject(.removingResponseMember("expires_in"))
        try await fixture.session.completeSignIn(redirectedTo: callback)
        fixture.clock.advance(by: .seconds(300))
        _ = try await fixture.session.accessToken()
        #expect(fixture.provider.refreshCount == 1)
    }
}
