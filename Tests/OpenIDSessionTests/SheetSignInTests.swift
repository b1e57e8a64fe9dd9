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
struct SheetSignInTests {
    private func signIn(
        _ fixture: ProviderFixture,
        through browser: @Sendable (String) async throws -> String
    ) async throws -> SessionUser? {
        let parameters = AuthorizationParameters()
        return try await fixture.session.signIn(redirectURI: ProviderFixture.redirectURI, parameters, through: browser)
    }

    @Test func `the address that the page leads to signs the person in`() async throws {
        let fixture = try await ProviderFixture()
        let user = try await signIn(fixture) { url in
            #expect(try await fixture.stored(.pendingSignIn) != nil)
            return try #require(fixture.provider.authorize(url).redirectURL)
        }
        #expect(user == fixture.user)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `a page that is closed ends the sign-in, and nothing of it stays`() async throws {
        let fixture = try await ProviderFixture()
        await #expect(throws: AuthorizationError(.cancelled)) {
            try await signIn(fixture) { _ in throw AuthorizationError(.cancelled) }
        }
        #expect(try await fixture.stored(.pendingSignIn) == nil)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a closed page leaves the sign-in pending that took its place`() async throws {
        let fixture = try await ProviderFixture()
        let other = fixture.otherProcess()
        let callback = Mutex<String?>(nil)
        await #expect(throws: AuthorizationError(.cancelled)) {
            try await signIn(fixture) { _ in
                let begun = try await fixture.begin(in: other)
                callback.withLock { $0 = begun }
                throw AuthorizationError(.cancelled)
            }
        }
        let begun = callback.withLock { $0 }
        let url = try #require(begun)
        #expect(try await other.completeSignIn(redirectedTo: url) == fixture.user)
    }

    @Test func `cancelled with its task, nothing of it stays`() async throws {
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

    @Test func `where the store takes nothing no page is shown`() async throws {
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
