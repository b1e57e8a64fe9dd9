import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import OpenIDSession
import Testing

@testable import AuthSession

/// A session's access token, exchanged for another API's.
///
/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
@Suite struct TokenExchangeTests {
    private static func signedIn(asking parameters: AuthorizationParameters = .init()) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture.signedIn(asking: parameters)
        var client = InProcessProvider.Client.public(id: "native")
        client.exchangeAudiences = ["billing"]
        fixture.provider.register(client)
        return fixture
    }

    @Test func `the new token is another one, and the session keeps its own`() async throws {
        let fixture = try await Self.signedIn()
        let before = try await fixture.storedRecord()
        let target = TokenExchange(audiences: ["billing"], scope: "profile")
        let exchanged = try await fixture.session.exchangeAccessToken(for: target)
        #expect(exchanged.accessToken != before.tokens.accessToken)
        #expect(exchanged.scope == "profile")
        #expect(exchanged.lifetime.expiresAt != nil)
        #expect(try await fixture.storedRecord() == before)
        let sent = try #require(fixture.provider.requests(at: .token).last)
        #expect(sent.formValue("grant_type") == "urn:ietf:params:oauth:grant-type:token-exchange")
        #expect(sent.formValue("subject_token") == before.tokens.accessToken.unredacted)
        #expect(sent.formValue("audience") == "billing")
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test func `a token bound to a key is exchanged for one bound to the same key`() async throws {
        let fixture = try await Self.signedIn(asking: .bound)
        let target = TokenExchange(audiences: ["billing"])
        let exchanged = try await fixture.session.exchangeAccessToken(for: target)
        #expect(exchanged.accessToken.isBound)
        fixture.provider.inject(.responseMember("token_type", .string("Bearer")))
        let error = await #expect(throws: TokenEndpointError.self) {
            try await fixture.session.exchangeAccessToken(for: target)
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func `the new token authorizes requests until the API rejects it`() async throws {
        let fixture = try await Self.signedIn(asking: .bound)
        let exchanged = try await fixture.session.exchangeAccessToken(for: TokenExchange(audiences: ["billing"]))
        let api = APIClient(
            baseURL: try BaseURL(fixture.provider.url(of: .api)),
            authenticatedBy: exchanged,
            transport: fixture.provider
        )
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .ok)
        fixture.provider.invalidateAccessTokens()
        let error = await #expect(throws: APIError.self) { try await api.send(.raw(.get, "/bills")) }
        #expect(error?.code == .unauthorized)
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test func `a token of another type is refused`() async throws {
        let fixture = try await Self.signedIn()
        let type = "urn:ietf:params:oauth:token-type:refresh_token"
        fixture.provider.inject(.responseMember("issued_token_type", .string(type)))
        let error = await #expect(throws: TokenEndpointError.self) {
            try await fixture.session.exchangeAccessToken(for: TokenExchange(audiences: ["billing"]))
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func `a refusal names its code and leaves the session`() async throws {
        let fixture = try await Self.signedIn()
        let error = await #expect(throws: TokenEndpointError.self) {
            try await fixture.session.exchangeAccessToken(for: TokenExchange(audiences: ["other"]))
        }
        #expect(error?.code == .refused)
        #expect(error?.oauthCode?.rawValue == "invalid_target")
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `an expired token is refreshed before it is exchanged`() async throws {
        let fixture = try await Self.signedIn()
        fixture.clock.advance(by: .seconds(300))
        _ = try await fixture.session.exchangeAccessToken(for: TokenExchange(audiences: ["billing"]))
        #expect(fixture.provider.refreshCount == 1)
    }
}
