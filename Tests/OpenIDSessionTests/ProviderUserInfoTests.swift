// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The provider's claims about the signed-in user.
@Suite(.timeLimit(.minutes(5)))
struct ProviderUserInfoTests {
    private let jane = SessionUser(id: "248289761001", name: "Jane Doe", email: "jane@example.com")

    @Test func `the claims describe the user and become the session's user`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let info = try await fixture.session.userInfo()
        #expect(info.subject == jane.id)
        #expect(info.email == "jane@example.com")
        #expect(fixture.session.state == .signedIn(jane, .online))
    }

    @Test func `observers receive the user's name`() async throws {
        let fixture = try await ProviderFixture(namesUser: false)
        fixture.provider.inject(.status(503, at: .userInfo))
        try await fixture.signIn()
        var states = fixture.session.states.makeAsyncIterator()
        #expect(await states.next() == .signedIn(SessionUser(id: jane.id), .online))
        _ = try await fixture.session.userInfo()
        #expect(await states.next() == .signedIn(jane, .online))
    }

    @Test func `a sign-in asks for the name that the ID token lacks`() async throws {
        let fixture = try await ProviderFixture(namesUser: false)
        #expect(try await fixture.signIn() == jane)
        #expect(try await fixture.storedRecord().user == jane)
        #expect(fixture.provider.requests(at: .userInfo).count == 1)
    }

    @Test func `a sign-in does not ask for a name that is known or was not requested`() async throws {
        let named = try await ProviderFixture.signedIn()
        #expect(named.provider.requests(at: .userInfo).isEmpty)
        let anonymous = try await ProviderFixture(namesUser: false)
        #expect(try await anonymous.signIn(AuthorizationParameters(scope: "openid")) == SessionUser(id: jane.id))
        #expect(anonymous.provider.requests(at: .userInfo).isEmpty)
    }

    @Test func `a sign-in does not wait for a userinfo endpoint that does not respond`() async throws {
        let fixture = try await ProviderFixture(namesUser: false)
        let gate = Gate()
        defer { gate.open() }
        fixture.provider.inject(.delayResponse(at: .userInfo) { await gate.pass() })
        async let user = fixture.signIn()
        await gate.waitForArrival()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        #expect(try await user == SessionUser(id: jane.id))
    }

    @Test func `the name is stored with the next tokens`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        _ = try await fixture.session.userInfo()
        try await fixture.session.refresh()
        #expect(try await fixture.storedRecord().user == jane)
    }

    @Test(
        arguments: [
            (.claim("sub", .string("somebody-else"), at: .userInfo), OpenIDError(.userInfo, .subjectMismatch)),
            (.claim("sub", nil, at: .userInfo), OpenIDError(.userInfo, .missingSubject)),
            (.html(at: .userInfo), OpenIDError(.userInfo, .malformedResponse)),
            (.status(403, at: .userInfo), OpenIDError(.userInfo, .refused)),
            (.status(503, at: .userInfo), OpenIDError(.userInfo, .serverFailed)),
            (.unreachable(at: .userInfo), OpenIDError(.userInfo, .unreachable)),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `unusable claims change nothing`(
        fault: InProcessProvider.Fault,
        expected: OpenIDError
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(fault)
        let error = await #expect(throws: OpenIDError.self) { try await fixture.session.userInfo() }
        #expect(error == expected)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.receivedRefreshTokens.isEmpty)
        #expect(fixture.provider.requests(at: .userInfo).count == 1)
    }

    @Test func `a userinfo request refreshes an invalidated access token once`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = try await fixture.session.accessToken()
        fixture.provider.invalidateAccessTokens()
        #expect(try await fixture.session.userInfo().name == "Jane Doe")
        #expect(fixture.provider.requests(at: .userInfo).map(\.status) == [401, 200])
        #expect(fixture.provider.refreshCount == 1)
        #expect(try await fixture.session.accessToken() != before)
    }

    @Test func `a second 401 throws an error and keeps the user signed in`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.status(401, at: .userInfo), times: .max)
        let error = await #expect(throws: OpenIDError.self) { try await fixture.session.userInfo() }
        #expect(error == OpenIDError(.userInfo, .unauthorized))
        #expect(fixture.provider.requests(at: .userInfo).count == 2)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `claims that arrive after a sign-out do not restore the session`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .userInfo) { await gate.pass() })
        async let info = fixture.session.userInfo()
        await gate.waitForArrival()
        await fixture.session.signOut()
        gate.open()
        #expect(try await info.subject == jane.id)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `no request is sent if no user is signed in`() async throws {
        let fixture = try await ProviderFixture()
        #expect(await code { try await fixture.session.userInfo() } == .notSignedIn)
        #expect(fixture.provider.requests(at: .userInfo).isEmpty)
    }

    @Test func `a provider without a userinfo endpoint throws unsupported`() async throws {
        let fixture = try await ProviderFixture.signedIn(without: "userinfo_endpoint")
        let error = await #expect(throws: OpenIDError.self) { try await fixture.session.userInfo() }
        #expect(error == OpenIDError(.userInfo, .unsupported))
    }

    /// A text that `String` compares in more than ten seconds.
    @Test(arguments: ["name", "email"])
    func `a claim of a quarter of a megabyte of combining marks takes no time and costs no session`(
        claim: String
    ) async throws {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 64_000)
        let fixture = try await ProviderFixture.signedIn()
        let start = ContinuousClock.now
        fixture.provider.inject(.claim(claim, .string(marks), at: .userInfo), times: 2)
        let info = try await fixture.session.userInfo()
        #expect(info.claims[claim] == .null)
        #expect(try await fixture.session.userInfo() == info)
        try await fixture.session.refresh()
        let other = fixture.otherProcess()
        await other.restore()
        #expect(other.state == fixture.session.state)
        guard case .signedIn(let user?, .online) = fixture.session.state else {
            Issue.record("\(fixture.session.state)")
            return
        }
        #expect(user.id == jane.id)
        #expect(start.duration(to: .now) < .seconds(5))
    }
}
