// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDSession
import Testing

@testable import AuthSession
@testable import AuthSessionTests

/// Refreshes at a provider that another process carries out.
@Suite(.timeLimit(.minutes(5)))
struct DelegatedProviderRefreshTests {
    private static let bills = TokenTarget(resources: ["https://bills.example"])

    private static func signedIn(_ delegate: RefreshDelegate) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture(lock: .one(FixedLock(error: nil)), options: delegate.options)
        var client = InProcessProvider.Client.public(id: "native")
        client.exchangeAudiences = ["https://bills.example"]
        fixture.provider.register(client)
        try await fixture.signIn()
        delegate.play(fixture.otherProcess())
        return fixture
    }

    @Test func `another API's token comes from the other process, and so does one in place of a rejected one`()
        async throws
    {
        let delegate = RefreshDelegate()
        let fixture = try await Self.signedIn(delegate)
        let token = try await fixture.session.accessToken(for: Self.bills)
        #expect(fixture.provider.requests(at: .token).last?.formValue("resource") == "https://bills.example")
        #expect(try await fixture.session.accessToken(for: Self.bills) == token)
        #expect(delegate.refreshes.count == 1 && fixture.provider.refreshCount == 1)
        let next = try await fixture.session.credentials(for: Self.bills).credential(insteadOf: token).accessToken
        #expect(next != token)
        #expect(delegate.refreshes.count == 2 && fixture.provider.refreshCount == 2)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `another API's token that the other process already had is requested once more if it was rejected`()
        async throws
    {
        let delegate = RefreshDelegate()
        let fixture = try await Self.signedIn(delegate)
        let token = try await fixture.session.accessToken(for: Self.bills)
        let record = try await fixture.storedRecord()
        let other = fixture.otherProcess()
        // A refresh that was handed over before: the tokens are another generation now, and the API's token is kept.
        try await fixture.session.refresh()
        let request = ResourceRequest(target: Self.bills, grant: .refreshToken)
        try await other.carryOut(DelegatedRefresh(of: record, for: request))
        #expect(try await other.accessToken(for: Self.bills) == token)
        #expect(fixture.provider.refreshCount == 2)
    }

    @Test func `an ID token that is due comes from the other process`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await Self.signedIn(delegate)
        let before = try await fixture.session.idToken()
        fixture.clock.advance(by: .seconds(300))
        let token = try await fixture.session.idToken()
        #expect(token != before)
        #expect(try await fixture.session.idToken() == token)
        #expect(delegate.refreshes.count == 1 && fixture.provider.refreshCount == 1)
    }
}
