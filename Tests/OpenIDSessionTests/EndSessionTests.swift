// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Synchronization
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// A sign-out that also shows the provider's page, by a user agent that catches the redirect to the app.
@Suite(.timeLimit(.minutes(5)))
struct EndSessionTests {
    @Test func `the session ends here first, and the provider's page returns to the app`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let states = Mutex<[SessionState]>([])
        let (result, endSession) = await fixture.session.signOut(
            redirectURI: ProviderFixture.redirectURI
        ) { url in
            states.withLock { $0.append(fixture.session.state) }
            return try #require(fixture.provider.endSession(url).redirectURL)
        }
        #expect(result == SignOutResult(revocation: .revoked, storeError: nil))
        #expect(endSession == .completed)
        #expect(states.withLock { $0 } == [.signedOut(.userSignedOut)])
        let request = try #require(fixture.provider.requests(at: .endSession).last)
        let names = Set(request.query.map(\.name))
        #expect(names == ["client_id", "id_token_hint", "post_logout_redirect_uri", "state"])
    }

    @Test func `a page that the user closes changes nothing`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let (result, endSession) = await fixture.session.signOut(redirectURI: nil) { _ in
            throw OpenIDError(.authorization, .cancelled)
        }
        #expect(result.revocation == .revoked)
        #expect(endSession == .initiated)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: ["recipe://callback?state=forged", "recipe://callback", "recipe://callback#state=x"])
    func `a return with another state is no completion`(callback: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let (_, endSession) = await fixture.session.signOut(
            redirectURI: ProviderFixture.redirectURI
        ) { _ in callback }
        #expect(endSession == .failed)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a page that can't be shown leaves the user signed out here`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let (_, endSession) = await fixture.session.signOut(redirectURI: nil) { _ in
            throw OpenIDError(.authorization, .noBrowser)
        }
        #expect(endSession == .failed)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `no page is shown for a provider without one, and for a user who is signed out`() async throws {
        let fixture = try await ProviderFixture.signedIn(without: "end_session_endpoint")
        let shown = Mutex(0)
        let show: @Sendable (String) async throws -> String = { _ in
            shown.withLock { $0 += 1 }
            throw OpenIDError(.authorization, .cancelled)
        }
        let session = fixture.session
        #expect(await session.signOut(redirectURI: nil, through: show).endSession == .unsupported)
        let other = try await ProviderFixture.signedIn()
        await other.session.signOut()
        let again = await other.session.signOut(redirectURI: nil, through: show)
        #expect(again.endSession == .unsupported)
        #expect(shown.withLock { $0 } == 0)
    }

    @Test func `no page is shown once another user has signed in`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        fixture.store.holdRemovals(at: gate)
        let signOut = Task {
            await fixture.session.signOut(redirectURI: nil) { _ in
                Issue.record("the page was shown")
                throw OpenIDError(.authorization, .cancelled)
            }
        }
        await gate.waitForArrival()
        fixture.store.holdRemovals(at: nil)
        let session = fixture.session
        let ticket = try await session.signInTicket()
        let lifetime = TokenLifetime(expiresIn: nil, from: fixture.clock.date)
        let issued = IssuedTokens(
            tokens: TokenSet(accessToken: try AccessToken("a-2"), lifetime: lifetime),
            requestedAt: session.clock.reading()
        )
        let other = SessionUser(id: "other")
        let signIn = Task { try await session.complete(ticket, with: issued, user: other) }
        while await session.tokensInHand == nil { await Task.yield() }
        gate.open()
        _ = try await signIn.value
        #expect(await signOut.value.endSession == .failed)
        #expect(session.state == .signedIn(other, .online))
    }
}
