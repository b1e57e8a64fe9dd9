// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The state changes around a session that can't be refreshed.
@Suite(.timeLimit(.minutes(5)))
struct ExpiredSessionChangeTests {
    /// Returns a fixture whose session has expired.
    private func expired() async throws -> ProviderFixture {
        let fixture = try await ProviderFixture.signedIn(asking: ProviderFixture.online)
        fixture.clock.advance(by: .seconds(300))
        _ = try? await fixture.session.accessToken()
        return fixture
    }

    @Test func `a sign-in after the expiry publishes the signed-in state`() async throws {
        let fixture = try await expired()
        let published = PublishedStates(fixture.session)
        try await fixture.signIn()
        #expect(await published.untilNow() == [.signedOut(.expired), fixture.signedInState])
    }

    @Test func `a sign-out after the expiry publishes userSignedOut`() async throws {
        let fixture = try await expired()
        let published = PublishedStates(fixture.session)
        await fixture.session.signOut()
        #expect(await published.untilNow() == [.signedOut(.expired), .signedOut(.userSignedOut)])
    }
}
