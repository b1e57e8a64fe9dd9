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

/// A sign-in through a user agent that shows a page and captures the callback URL.
@Suite(.timeLimit(.minutes(5)))
struct UserAgentSignInTests {
    private func signIn(
        _ fixture: ProviderFixture,
        through browser: @Sendable (String) async throws -> String
    ) async throws -> SessionUser? {
        let parameters = AuthorizationParameters()
        return try await fixture.session.signIn(redirectURI: ProviderFixture.redirectURI, parameters, through: browser)
    }

    @Test func `the callback URL of the page signs the user in`() async throws {
        let fixture = try await ProviderFixture()
        let user = try await signIn(fixture) { url in
            #expect(try await fixture.stored(.pendingSignIn) != nil)
            return try #require(fixture.provider.authorize(url).redirectURL)
        }
        #expect(user == fixture.user)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `a closed page ends the sign-in and leaves nothing stored`() async throws {
        let fixture = try await ProviderFixture()
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await signIn(fixture) { _ in throw OpenIDError(.authorization, .cancelled) }
        }
        #expect(try await fixture.stored(.pendingSignIn) == nil)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a closed page keeps a later pending sign-in that replaced its own`() async throws {
        let fixture = try await ProviderFixture()
        let other = fixture.otherProcess()
        let callback = Mutex<String?>(nil)
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await signIn(fixture) { _ in
                let begun = try await fixture.begin(in: other)
                callback.withLock { $0 = begun }
                throw OpenIDError(.authorization, .cancelled)
            }
        }
        let begun = callback.withLock { $0 }
        let url = try #require(begun)
        #expect(try await other.completeSignIn(redirectedTo: url) == fixture.user)
    }

    @Test func `a cancelled task leaves no pending sign-in`() async throws {
        let fixture = try await ProviderFixture()
        let shown = Event()
        let attempt = Task {
            try await signIn(fixture) { _ in
                shown.happen()
                try await waitForCancellation()
                return ""
            }
        }
        await shown.wait()
        attempt.cancel()
        await #expect(throws: CancellationError.self) { try await attempt.value }
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `no page is shown if the store can't be written`() async throws {
        let fixture = try await ProviderFixture()
        fixture.store.faults.failWrites(with: SecureStoreError(.locked))
        let result = await code {
            try await signIn(fixture) { _ in
                Issue.record("a page was shown")
                return ""
            }
        }
        #expect(result == .storeUnavailable)
    }
}
