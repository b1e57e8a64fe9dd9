// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The request was sent and the provider rotated the tokens, but no response came.
@Suite(.timeLimit(.minutes(5)))
struct LostRefreshResponseTests {
    @Test func `a refresh is not repeated automatically if no grace window is set, and the user stays signed in`()
        async throws
    {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.dropResponse(at: .token))
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == .refreshOutcomeUnknown)
        #expect(!error.endsSession)
        await settle()
        #expect(fixture.receivedRefreshTokens.count == 1)
        #expect(fixture.isOffline)
        #expect(try await fixture.storedRecord().refreshBegunAt == fixture.clock.date)
    }

    @Test func `the next attempt sends the same refresh token, and its response is used`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.dropResponse(at: .token))
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(2))
        let token = try await fixture.session.accessToken()
        #expect(fixture.receivedRefreshTokens.count == 2)
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.session.state == fixture.signedInState)
        let record = try await fixture.storedRecord()
        #expect(record.tokens.accessToken == token)
        #expect(record.refreshBegunAt == nil)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a provider that rejects the repeated token ends the session with refreshResponseLost`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.dropResponse(at: .token))
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(60))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.refreshResponseLost))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a refresh is repeated at once within the grace window, and gets the same response`() async throws {
        let fixture = try await ProviderFixture.expired(graceWindow: .seconds(10))
        fixture.provider.inject(.dropResponse(at: .token))
        let token = try await fixture.session.accessToken()
        #expect(fixture.receivedRefreshTokens.count == 2)
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.accessToken == token)
    }

    @Test func `two lost responses do not end the session within the grace window`() async throws {
        let fixture = try await ProviderFixture.expired(graceWindow: .seconds(10))
        fixture.provider.inject(.dropResponse(at: .token), times: 2)
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(fixture.receivedRefreshTokens.count == 2)
        #expect(fixture.isOffline)
        fixture.clock.advance(by: .seconds(5))
        _ = try await fixture.session.accessToken()
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a refresh without a response is repeated within the grace window, and the first response is used`()
        async throws
    {
        let fixture = try await ProviderFixture.expired(graceWindow: .seconds(10))
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .token) { await gate.pass() })
        fixture.provider.inject(.dropResponse(at: .token))
        async let token = fixture.session.accessToken()
        await gate.waitForArrival()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(4))
        while fixture.receivedRefreshTokens.count < 2 { await Task.yield() }
        gate.open()
        let renewed = try await token
        #expect(await fixture.session.inMemoryTokens?.accessToken == renewed)
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    /// Returns a fixture whose process sent a refresh and ended; the stored journal is open.
    private func abandoned(graceWindow: Duration?, endedFor seconds: Int) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture.signedIn(graceWindow: graceWindow)
        fixture.clock.advance(by: .seconds(seconds))
        fixture.provider.inject(.dropResponse(at: .token), times: 2)
        let error = try await sessionError { try await fixture.session.refresh() }
        #expect(error.code == .refreshOutcomeUnknown)
        fixture.provider.clearFaults()
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
        return fixture
    }

    @Test func `a process that finds an open journal completes the refresh within the grace window`() async throws {
        let fixture = try await abandoned(graceWindow: .seconds(10), endedFor: 100)
        fixture.clock.advance(by: .seconds(5))
        let relaunched = fixture.otherProcess()
        await relaunched.restore(validating: false)
        #expect(await relaunched.validate() == fixture.signedInState)
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
    }

    @Test func `a process that finds an open journal uses the current access token if no grace window is set`()
        async throws
    {
        let fixture = try await abandoned(graceWindow: nil, endedFor: 100)
        let received = fixture.receivedRefreshTokens.count
        let token = try await fixture.storedRecord().tokens.accessToken
        let relaunched = fixture.otherProcess()
        #expect(try await relaunched.accessToken() == token)
        #expect(await relaunched.validate() == fixture.signedInState)
        await settle()
        #expect(fixture.receivedRefreshTokens.count == received)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a process that finds an open journal sends the same refresh token if the access token has expired`()
        async throws
    {
        let fixture = try await abandoned(graceWindow: nil, endedFor: 300)
        fixture.clock.advance(by: .seconds(5))
        let relaunched = fixture.otherProcess()
        let token = try await relaunched.accessToken()
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(try await fixture.storedRecord().tokens.accessToken == token)
    }
}
