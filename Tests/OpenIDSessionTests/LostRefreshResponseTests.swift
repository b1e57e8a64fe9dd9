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
    @Test func `without a grace window it is not sent again by itself, and nobody is signed out`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.dropReply(at: .token))
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == .refreshOutcomeUnknown)
        #expect(!error.endsSession)
        await settle()
        #expect(fixture.shownRefreshTokens.count == 1)
        #expect(fixture.isOffline)
        #expect(try await fixture.storedRecord().refreshBegunAt == fixture.clock.date)
    }

    @Test func `the next attempt shows the same token, and the provider's answer counts`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.dropReply(at: .token))
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(2))
        let token = try await fixture.session.accessToken()
        #expect(fixture.shownRefreshTokens.count == 2)
        #expect(Set(fixture.shownRefreshTokens).count == 1)
        #expect(fixture.session.state == fixture.signedInState)
        let record = try await fixture.storedRecord()
        #expect(record.tokens.accessToken == token)
        #expect(record.refreshBegunAt == nil)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a provider that takes the same token no more ends the session, its answer lost`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.dropReply(at: .token))
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(60))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.refreshResponseLost))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `within a grace window it is sent again at once, and the same answer comes`() async throws {
        let fixture = try await ProviderFixture.expired(graceWindow: .seconds(10))
        fixture.provider.inject(.dropReply(at: .token))
        let token = try await fixture.session.accessToken()
        #expect(fixture.shownRefreshTokens.count == 2)
        #expect(Set(fixture.shownRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.accessToken == token)
    }

    @Test func `an answer lost twice leaves the session, also within a grace window`() async throws {
        let fixture = try await ProviderFixture.expired(graceWindow: .seconds(10))
        fixture.provider.inject(.dropReply(at: .token), times: 2)
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(fixture.shownRefreshTokens.count == 2)
        #expect(fixture.isOffline)
        fixture.clock.advance(by: .seconds(5))
        _ = try await fixture.session.accessToken()
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `silence within a grace window sends it again, and the first answer counts too`() async throws {
        let fixture = try await ProviderFixture.expired(graceWindow: .seconds(10))
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .token) { await gate.pass() })
        fixture.provider.inject(.dropReply(at: .token))
        async let token = fixture.session.accessToken()
        await gate.somebodyWaits()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(4))
        while fixture.shownRefreshTokens.count < 2 { await Task.yield() }
        gate.open()
        let renewed = try await token
        #expect(await fixture.session.heldTokens?.accessToken == renewed)
        #expect(Set(fixture.shownRefreshTokens).count == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    /// Returns a fixture whose process sent a refresh and ended; the stored journal is open.
    private func abandoned(graceWindow: Duration?, endedFor seconds: Int) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture.signedIn(graceWindow: graceWindow)
        fixture.clock.advance(by: .seconds(seconds))
        fixture.provider.inject(.dropReply(at: .token), times: 2)
        let error = try await sessionError { try await fixture.session.refresh() }
        #expect(error.code == .refreshOutcomeUnknown)
        fixture.provider.clearFaults()
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
        return fixture
    }

    @Test func `a process that finds a refresh begun ends it while the grace window is open`() async throws {
        let fixture = try await abandoned(graceWindow: .seconds(10), endedFor: 100)
        fixture.clock.advance(by: .seconds(5))
        let relaunched = fixture.otherProcess()
        await relaunched.restore(validating: false)
        #expect(await relaunched.validate() == fixture.checkedState)
        #expect(Set(fixture.shownRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
    }

    @Test func `without a window, a process that finds a refresh begun serves the token in the hand`() async throws {
        let fixture = try await abandoned(graceWindow: nil, endedFor: 100)
        let shown = fixture.shownRefreshTokens.count
        let token = try await fixture.storedRecord().tokens.accessToken
        let relaunched = fixture.otherProcess()
        #expect(try await relaunched.accessToken() == token)
        #expect(await relaunched.validate() == fixture.checkedState)
        await settle()
        #expect(fixture.shownRefreshTokens.count == shown)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a process that finds a refresh begun shows the same token once the other has ended`() async throws {
        let fixture = try await abandoned(graceWindow: nil, endedFor: 300)
        fixture.clock.advance(by: .seconds(5))
        let relaunched = fixture.otherProcess()
        let token = try await relaunched.accessToken()
        #expect(Set(fixture.shownRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(try await fixture.storedRecord().tokens.accessToken == token)
    }
}
