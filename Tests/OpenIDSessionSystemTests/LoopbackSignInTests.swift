// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import APIClient
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Synchronization
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession
@testable import OpenIDSessionTests

/// A sign-in in a browser that returns to a port of this machine, over a real socket.
@Suite(.timeLimit(.minutes(5)))
struct LoopbackSignInTests {
    /// A browser whose user needs no time: it calls the provider and follows the redirect.
    private final class Browser: Sendable {
        let provider: InProcessProvider
        private let visited = Mutex<[String]>([])
        private let statuses = Mutex<[Int]>([])

        init(_ provider: InProcessProvider) {
            self.provider = provider
        }

        var addresses: [String] { visited.withLock { $0 } }
        /// The status codes of the pages on this machine.
        var pages: [Int] { statuses.withLock { $0 } }

        func open(_ url: String) async throws {
            visited.withLock { $0.append(url) }
            try await get(try #require(provider.authorize(url).redirectURL))
        }

        func get(_ url: String) async throws {
            let rest = url.dropFirst("http://".count)
            let authority = rest.prefix { $0 != "/" }
            let head = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: String(authority),
                path: String(rest.dropFirst(authority.count))
            )
            let response = try await DefaultTransport.shared.send(TransportRequest(head: head))
            statuses.withLock { $0.append(response.head.status.code) }
        }
    }

    @Test func `the browser's callback signs the user in`() async throws {
        let fixture = try await ProviderFixture()
        let browser = Browser(fixture.provider)
        let user = try await fixture.session.signIn(using: .browser { try await browser.open($0) })
        #expect(user == fixture.user)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().user == fixture.user)
        #expect(browser.pages == [200])
        #expect(try #require(browser.addresses.first).contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `sender-constrained tokens are requested with a proof`() async throws {
        let fixture = try await ProviderFixture()
        let browser = Browser(fixture.provider)
        try await fixture.session.signIn(using: .browser { try await browser.open($0) }, .bound)
        #expect(try await fixture.storedRecord().tokens.dpopKey != nil)
        #expect(fixture.provider.requests(at: .token).last?.fields[.dpop] != nil)
    }

    @Test func `a step-up signs the user in again as an API requires`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = try await fixture.session.accessToken()
        let browser = Browser(fixture.provider)
        let challenge = StepUpChallenge(acrValues: ["phr"])
        let parameters = try await fixture.session.stepUpParameters(for: challenge)
        let user = try await fixture.session.signIn(using: .browser { try await browser.open($0) }, parameters)
        #expect(user == fixture.user)
        #expect(browser.addresses.first?.contains("acr_values=phr") == true)
        #expect(try await fixture.session.accessToken() != before)
    }

    @Test func `a step-up in which the user declines leaves the session as it is`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = try await fixture.session.accessToken()
        fixture.provider.user = nil
        let browser = Browser(fixture.provider)
        let parameters = try await fixture.session.stepUpParameters(for: StepUpChallenge())
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await fixture.session.signIn(using: .browser { try await browser.open($0) }, parameters)
        }
        #expect(try await fixture.session.accessToken() == before)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a callback of another attempt is rejected, and the sign-in keeps waiting`() async throws {
        let fixture = try await ProviderFixture()
        let browser = Browser(fixture.provider)
        let opened = ExternalUserAgent.browser { url in
            let callback = try #require(fixture.provider.authorize(url).redirectURL)
            try await browser.get(callback.prefix { $0 != "?" } + "?code=a&state=other")
            try await browser.get(callback)
        }
        #expect(try await fixture.session.signIn(using: opened) == fixture.user)
        #expect(browser.pages == [400, 200])
    }

    @Test func `an honest server's code at another path gets 404, and the sign-in keeps waiting`() async throws {
        let mixUp = try MixUp()
        let session = try await mixUp.session()
        let browser = Browser(mixUp.hostile)
        let opened = ExternalUserAgent.browser { url in
            for path in ["/callback", mixUp.honestPath] {
                let callback = try mixUp.detour(from: url) { $0.replacing(mixUp.hostilePath, with: path) }
                try await browser.get(try #require(callback))
            }
            #expect(mixUp.hostile.requests(at: .token).isEmpty)
            try await browser.open(url)
        }
        try await session.signIn(using: opened)
        #expect(browser.pages == [404, 404, 200])
        #expect(mixUp.hostile.requests(at: .token).count == 1)
        #expect(mixUp.honest.requests(at: .token).isEmpty)
    }

    @Test func `no browser is opened for a server that only an API names, at a path that others may share`()
        async throws
    {
        let session = try await MixUp().session()
        let opened = ExternalUserAgent.browser(redirect: LoopbackRedirect()) { _ in Issue.record("a browser opened") }
        await #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) {
            try await session.signIn(using: opened)
        }
    }

    @Test func `a denied authorization counts as cancelled, and the user stays signed out`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.user = nil
        let browser = Browser(fixture.provider)
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await fixture.session.signIn(using: .browser { try await browser.open($0) })
        }
        #expect(browser.pages == [200])
        #expect(try await fixture.stored() == nil)
        #expect(fixture.provider.requests(at: .token).isEmpty)
    }

    @Test func `a cancelled sign-in ends at once`() async throws {
        let fixture = try await ProviderFixture()
        let opened = Event()
        let attempt = Task { try await fixture.session.signIn(using: .browser { _ in opened.happen() }) }
        await opened.wait()
        attempt.cancel()
        await #expect(throws: CancellationError.self) { try await attempt.value }
        #expect(try await fixture.stored() == nil)
        #expect(fixture.provider.requests(at: .token).isEmpty)
    }

    @Test func `a sign-in without a callback times out`() async throws {
        let fixture = try await ProviderFixture()
        await #expect(throws: OpenIDError(.authorization, .timedOut)) {
            try await fixture.session.signIn(using: .browser(timeout: .zero) { _ in })
        }
    }

    @Test func `no browser is opened while the store is locked`() async throws {
        let fixture = try await ProviderFixture()
        fixture.store.faults.lock()
        let browser = Browser(fixture.provider)
        let opened = ExternalUserAgent.browser { try await browser.open($0) }
        #expect(await code { try await fixture.session.signIn(using: opened) } == .storeUnavailable)
        #expect(browser.addresses.isEmpty)
    }

    @Test func `a browser that can't be opened throws noBrowser`() async throws {
        let fixture = try await ProviderFixture()
        await #expect(throws: OpenIDError(.authorization, .noBrowser)) {
            try await fixture.session.signIn(using: .browser { _ in throw OpenIDError(.authorization, .noBrowser) })
        }
    }

    @Test func `a sign-out during the browser sign-in drops the sign-in and revokes its tokens`() async throws {
        let fixture = try await ProviderFixture()
        let browser = Browser(fixture.provider)
        let opened = ExternalUserAgent.browser { url in
            await fixture.session.signOut()
            try await browser.open(url)
        }
        #expect(await code { try await fixture.session.signIn(using: opened) } == .superseded)
        while fixture.provider.activeRefreshTokenCount > 0 { await Task.yield() }
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a first-party backend rejects a sign-in in a browser`() async throws {
        let session = try Fixture().session
        #expect(await code { try await session.signIn(using: .browser { _ in }) } == .contractMismatch)
    }
}
#endif
