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

/// A session without a refresh token, which ends with its access token.
@Suite(.timeLimit(.minutes(5)))
struct MissingRefreshTokenTests {
    private func signedIn() async throws -> ProviderFixture {
        try await .signedIn(asking: ProviderFixture.online)
    }

    @Test func `the access token is returned until it expires, without another token request`() async throws {
        let fixture = try await signedIn()
        #expect(try await fixture.storedRecord().tokens.refreshToken == nil)
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(299))
        #expect(try await fixture.session.accessToken() == token)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.provider.requests(at: .token).count == 1)
    }

    @Test func `a refresh before the expiry throws noRefreshToken and keeps the session`() async throws {
        let fixture = try await signedIn()
        let error = try await sessionError { try await fixture.session.refresh() }
        #expect(error.code == .noRefreshToken)
        #expect(!error.endsSession)
        #expect(!error.isRetryable)
        let token = try await fixture.session.accessToken()
        #expect(await code { try await fixture.session.credential(insteadOf: token).accessToken } == .noRefreshToken)
        #expect(await fixture.session.validate() == fixture.signedInState)
        fixture.provider.inject(.unreachable(at: .userInfo))
        #expect(await code { try await fixture.session.credential(insteadOf: token).accessToken } == .noRefreshToken)
        #expect(fixture.provider.requests(at: .token).count == 1)
    }

    @Test func `an invalidated token stays as it is`() async throws {
        let fixture = try await signedIn()
        let (token, record) = (try await fixture.session.accessToken(), try await fixture.storedRecord())
        try await fixture.session.invalidate(token)
        #expect(try await fixture.session.accessToken() == token)
        #expect(try await fixture.storedRecord() == record)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `the session expires with its access token, in memory and in the store`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(300))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.expired))
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
    }

    @Test func `the session expires on time even after frequent requests just before`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(270))
        for _ in 0..<29 {
            _ = try await fixture.session.accessToken()
            fixture.clock.advance(by: .seconds(1))
        }
        _ = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(1))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.expired))
    }

    @Test func `a session that expired while the app was not running ends when its token is refused`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(3_600))
        let relaunched = fixture.otherProcess()
        await relaunched.restore(validating: false)
        #expect(await relaunched.validate() == fixture.signedInState)
        let token = try await relaunched.accessToken()
        #expect(await code { try await relaunched.credential(insteadOf: token).accessToken } == .sessionEnded)
        #expect(relaunched.state == .signedOut(.expired))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a sign-in in another process replaces a session whose token has expired`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(300))
        let other = fixture.otherProcess()
        try await fixture.signIn(in: other)
        #expect(try await fixture.session.accessToken() == other.accessToken())
        #expect(fixture.session.state == fixture.signedInState)
    }

    /// An API's refusal may be about that API alone.
    @Test func `a session whose token is refused stays until it expires, and userinfo is not asked`() async throws {
        let fixture = try await signedIn()
        let token = try await fixture.session.accessToken()
        fixture.provider.inject(.status(401, at: .userInfo), times: .max)
        let asked = fixture.provider.requests(at: .userInfo).count
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(await code { try await fixture.session.credential(insteadOf: token).accessToken } == .noRefreshToken)
        let relaunched = fixture.otherProcess()
        await relaunched.restore(validating: false)
        #expect(await relaunched.validate() == fixture.signedInState)
        #expect(try await relaunched.accessToken() == token)
        #expect(fixture.provider.requests(at: .userInfo).count == asked)
    }

    /// The device wakes with a clock that is a day fast, until the network corrects it.
    @Test func `a fast clock does not end a session that the provider still accepts`() async throws {
        let fixture = try await signedIn()
        let (day, now) = (86_400.0, fixture.clock.date)
        let clock = fixture.clock
        let relaunched = fixture.otherProcess(showing: { clock.date.addingTimeInterval(day) })
        await relaunched.restore(validating: false)
        let token = try await relaunched.accessToken()
        #expect(try await fixture.storedRecord().tokens.accessToken == token)
        #expect(relaunched.state == fixture.signedInState)
        // The token is returned until a server refuses it.
        #expect(try await relaunched.accessToken() == token)
        #expect(await relaunched.validate() == fixture.signedInState)
        #expect(clock.date == now)
        clock.advance(by: .seconds(300))
        #expect(await code { try await relaunched.credential(insteadOf: token).accessToken } == .sessionEnded)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `an expiry that this process has not measured does not end the session`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(3_600))
        let token = try await fixture.storedRecord().tokens.accessToken
        let relaunched = fixture.otherProcess()
        #expect(try await relaunched.accessToken() == token)
        #expect(relaunched.state == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
        // This process has measured the time itself.
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
    }
}
