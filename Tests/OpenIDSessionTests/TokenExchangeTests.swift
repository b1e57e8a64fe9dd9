// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import OpenIDSession
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests

/// A session's access token, exchanged for another API's.
///
/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
@Suite struct TokenExchangeTests {
    private static let billing = TokenTarget(audiences: ["billing"], scope: "profile")

    private static func signedIn(
        asking parameters: AuthorizationParameters = .init(),
        lifetime: Duration = .seconds(300)
    ) async throws -> ProviderFixture {
        var configuration = InProcessProvider.Configuration()
        configuration.accessTokenLifetime = lifetime
        let fixture = try await ProviderFixture.signedIn(configuration, asking: parameters)
        var client = InProcessProvider.Client.public(id: "native")
        client.exchangeAudiences = ["billing"]
        fixture.provider.register(client)
        return fixture
    }

    private static func exchanged(_ fixture: ProviderFixture, for target: TokenTarget = billing) async throws
        -> AccessToken
    {
        try await fixture.session.accessToken(for: target, by: .tokenExchange)
    }

    @Test func `the new token is another one, kept with the session's own`() async throws {
        let fixture = try await Self.signedIn()
        let before = try await fixture.storedRecord()
        let token = try await Self.exchanged(fixture)
        #expect(token != before.tokens.accessToken)
        let after = try await fixture.storedRecord()
        #expect(after.tokens == before.tokens)
        #expect(after.tokenGeneration == before.tokenGeneration)
        let kept = try #require(after.resourceTokens[ResourceRequest(target: Self.billing, grant: .tokenExchange)])
        #expect(kept.accessToken == token && kept.scope == "profile" && kept.lifetime.expiresAt != nil)
        let sent = try #require(fixture.provider.requests(at: .token).last)
        #expect(sent.formValue("grant_type") == "urn:ietf:params:oauth:grant-type:token-exchange")
        #expect(sent.formValue("subject_token") == before.tokens.accessToken.unredacted)
        #expect(sent.formValue("audience") == "billing")
        #expect(fixture.provider.refreshCount == 0)
        let count = fixture.provider.requests(at: .token).count
        #expect(try await fixture.otherProcess().accessToken(for: Self.billing, by: .tokenExchange) == token)
        #expect(fixture.provider.requests(at: .token).count == count)
    }

    @Test func `twenty tasks share one exchange`() async throws {
        let fixture = try await Self.signedIn()
        let count = fixture.provider.requests(at: .token).count
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<20 { group.addTask { try await Self.exchanged(fixture) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1.unredacted) }
        }
        #expect(tokens.count == 1)
        #expect(fixture.provider.requests(at: .token).count == count + 1)
    }

    @Test func `a token bound to a key is exchanged for one bound to the same key`() async throws {
        let fixture = try await Self.signedIn(asking: .bound)
        #expect(try await Self.exchanged(fixture).isBound)
        fixture.provider.inject(.responseMember("token_type", .string("Bearer")))
        let target = TokenTarget(audiences: ["billing"])
        #expect(await code { _ = try await Self.exchanged(fixture, for: target) } == .invalidResponse)
    }

    @Test func `the token authorizes requests, and a rejected one is exchanged again`() async throws {
        let fixture = try await Self.signedIn(asking: .bound)
        let api = APIClient(
            baseURL: try BaseURL(fixture.provider.url(of: .api)),
            authenticatedBy: fixture.session.credentials(for: Self.billing, by: .tokenExchange),
            transport: fixture.provider
        )
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .ok)
        let first = try await Self.exchanged(fixture)
        let next = try await fixture.session.credentials(for: Self.billing, by: .tokenExchange)
            .credential(insteadOf: first).accessToken
        #expect(next != first)
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .ok)
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test func `a token of another type is refused`() async throws {
        let fixture = try await Self.signedIn()
        let type = "urn:ietf:params:oauth:token-type:refresh_token"
        fixture.provider.inject(.responseMember("issued_token_type", .string(type)))
        #expect(await code { _ = try await Self.exchanged(fixture) } == .invalidResponse)
    }

    @Test func `a refusal names its code and leaves the session`() async throws {
        let fixture = try await Self.signedIn()
        let target = TokenTarget(audiences: ["other"])
        let error = try await sessionError { _ = try await Self.exchanged(fixture, for: target) }
        #expect(error.code == .refreshRefused)
        #expect(error.serverCode?.rawValue == "invalid_target")
        #expect(fixture.session.state == fixture.signedInState)
        #expect(await fixture.session.refreshRefusal == nil)
    }

    @Test func `an expired token is refreshed before it is exchanged`() async throws {
        let fixture = try await Self.signedIn()
        fixture.clock.advance(by: .seconds(300))
        _ = try await Self.exchanged(fixture)
        #expect(fixture.provider.refreshCount == 1)
    }

    /// Returns a session whose own token was issued more than five minutes ago and is fresh.
    private static func lasting(asking parameters: AuthorizationParameters = .init()) async throws -> ProviderFixture {
        let fixture = try await signedIn(asking: parameters, lifetime: .seconds(3_600))
        fixture.clock.advance(by: .seconds(301))
        return fixture
    }

    private static let refusal = InProcessProvider.Fault.error("invalid_request", at: .token)

    @Test func `a token that the server has revoked is refreshed, and exchanged once more`() async throws {
        let fixture = try await Self.lasting()
        fixture.provider.invalidateAccessTokens()
        _ = try await Self.exchanged(fixture)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `an exchange that stays refused costs one refresh, whichever process tries`() async throws {
        let fixture = try await Self.lasting()
        fixture.provider.inject(Self.refusal)
        // The refresh in between succeeds.
        fixture.provider.inject(.delayResponse(at: .token) {})
        fixture.provider.inject(Self.refusal, times: .max)
        for session in [fixture.session, fixture.session, fixture.otherProcess()] {
            let error = await code { _ = try await session.accessToken(for: Self.billing, by: .tokenExchange) }
            #expect(error == .refreshRefused)
            fixture.clock.advance(by: .seconds(60))
        }
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    /// Sent again, the used refresh token would end the session.
    @Test func `a refused exchange sends no refresh token whose refresh has no known outcome`() async throws {
        let fixture = try await Self.lasting()
        fixture.provider.inject(.dropResponse(at: .token))
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        let count = fixture.provider.requests(at: .token).count
        fixture.provider.inject(Self.refusal)
        #expect(await code { _ = try await Self.exchanged(fixture) } == .refreshRefused)
        #expect(fixture.provider.requests(at: .token).count == count + 1)
        #expect(await fixture.session.inMemoryTokens != nil)
    }

    @Test func `a refused exchange without a refresh token names the server's reason`() async throws {
        let fixture = try await Self.lasting(asking: ProviderFixture.online)
        fixture.provider.inject(Self.refusal)
        let error = try await sessionError { _ = try await Self.exchanged(fixture) }
        #expect(error.code == .refreshRefused && error.serverCode?.rawValue == "invalid_request")
        #expect(fixture.provider.requests(at: .userInfo).isEmpty)
    }

    @Test func `a store that locks during a refresh does not prevent an exchange`() async throws {
        let fixture = try await Self.signedIn()
        let faults = fixture.store.faults
        fixture.provider.inject(.delayResponse(at: .token) { faults.failAll(with: SecureStoreError(.locked)) })
        try await fixture.session.refresh()
        let count = fixture.provider.requests(at: .token).count
        let byRefresh = TokenTarget(scope: "profile")
        #expect(await code { _ = try await fixture.session.accessToken(for: byRefresh) } == .storeUnavailable)
        #expect(fixture.provider.requests(at: .token).count == count)
        _ = try await Self.exchanged(fixture)
        #expect(fixture.provider.requests(at: .token).count == count + 1)
        faults.failAll(with: nil)
        try await fixture.session.flush()
    }

    @Test func `a sign-out revokes the exchanged token too`() async throws {
        let fixture = try await Self.signedIn()
        let token = try await Self.exchanged(fixture)
        let refreshToken = try #require(try await fixture.storedRecord().tokens.refreshToken)
        let result = await fixture.session.signOut()
        #expect(result.revocation == .revoked)
        #expect(fixture.revokedTokens == [refreshToken.unredacted, token.unredacted])
    }

    @Test func `a sign-out revokes what another process has exchanged, and what was not written`() async throws {
        let fixture = try await Self.signedIn()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        let unwritten = try await Self.exchanged(fixture, for: TokenTarget(audiences: ["billing"]))
        fixture.store.faults.failWrites(with: nil)
        let token = try await fixture.otherProcess().accessToken(for: Self.billing, by: .tokenExchange)
        let refreshToken = try #require(try await fixture.storedRecord().tokens.refreshToken)
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.revokedTokens == [refreshToken.unredacted, unwritten.unredacted, token.unredacted])
    }

    @Test func `a sign-out that the provider refuses still revokes the exchanged token`() async throws {
        let fixture = try await Self.signedIn()
        let token = try await Self.exchanged(fixture)
        fixture.provider.inject(.error("unsupported_token_type", at: .revocation))
        let record = try await fixture.storedRecord()
        let response = await fixture.openIDAuthority.signOut(RevocableTokens(record))
        #expect(response == .refused(ServerErrorCode(rawValue: "unsupported_token_type")))
        #expect(fixture.revokedTokens == [token.unredacted])
    }

    @Test func `a sign-out without a network revokes the exchanged token later`() async throws {
        let fixture = try await Self.signedIn()
        let token = try await Self.exchanged(fixture)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .deferred)
        await fixture.otherProcess().restore()
        try await fixture.waitForRevocations()
        #expect(fixture.revokedTokens.last == token.unredacted)
        #expect(fixture.revokedTokens.count == 2)
    }
}
