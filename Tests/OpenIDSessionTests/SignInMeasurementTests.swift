// SPDX-License-Identifier: Apache-2.0

#if Metrics
import AuthCore
import AuthTesting
import MetricsTestKit
import OpenIDConnect
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The metrics of sign-ins at a provider.
@Suite(.timeLimit(.minutes(5)))
struct SignInMeasurementTests {
    private let metrics = TestMetrics()

    /// Returns a session with metrics, which otherwise equals another one.
    private func measured(_ session: AuthSession, at provider: InProcessProvider) -> AuthSession {
        AuthSession(
            backend: session.backend,
            store: session.store,
            transport: provider,
            timeout: .seconds(30),
            logger: session.logger,
            clock: session.clock,
            options: .measured(by: metrics),
            lock: .none,
            randomFraction: { 0 }
        )
    }

    /// Expects that one sign-in was recorded.
    private func expectOne(
        _ outcome: String,
        error: String = "none",
        _ location: SourceLocation = #_sourceLocation
    ) {
        let durations = metrics.durations("sign_in.duration", ["outcome": outcome, "error.type": error])
        #expect(durations.count == 1, sourceLocation: location)
        #expect(metrics.count("sign_in.duration") == 1, sourceLocation: location)
    }

    @Test func `a redirect of another issuer is recorded by the error's operation and code`() async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        fixture.provider.inject(.callbackParameter("iss", "https://evil.example"))
        let callback = try await fixture.begin(in: session)
        #expect(metrics.count("sign_in.duration") == 0)
        await #expect(throws: OpenIDError(.authorization, .issuerMismatch)) {
            try await session.completeSignIn(redirectedTo: callback)
        }
        expectOne("failed", error: "authorizationInvalidResponse")
    }

    @Test func `a redirect whose code can't be exchanged is recorded by the session's code`() async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        let callback = try await fixture.begin(in: session)
        fixture.provider.inject(.unreachable(at: .token))
        #expect(await code { try await session.completeSignIn(redirectedTo: callback) } == .unreachable)
        expectOne("failed", error: "unreachable")
    }

    private static let pages: [(OpenIDError, String, String)] = [
        (OpenIDError(.authorization, .noBrowser), "failed", "authorizationBrowserUnavailable"),
        (OpenIDError(.authorization, .cancelled), "cancelled", "none"),
    ]

    @Test(arguments: pages)
    func `a page that can't be opened is a failure, and a page that the user closes is not`(
        thrown: OpenIDError,
        outcome: String,
        error: String
    ) async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        await #expect(throws: thrown) {
            try await session.signIn(redirectURI: ProviderFixture.redirectURI, AuthorizationParameters()) { _ in
                throw thrown
            }
        }
        expectOne(outcome, error: error)
    }

    @Test func `a sign-in with a page is recorded once, with the user's time`() async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        let parameters = AuthorizationParameters()
        _ = try await session.signIn(redirectURI: ProviderFixture.redirectURI, parameters) { url in
            fixture.clock.advance(by: .milliseconds(20))
            return try #require(fixture.provider.authorize(url).redirectURL)
        }
        expectOne("success")
        let durations = metrics.durations("sign_in.duration", ["outcome": "success", "error.type": "none"])
        #expect(durations == [20_000_000])
    }

    @Test func `a refresh for another API is recorded as such`() async throws {
        let fixture = try await ProviderFixture()
        var client = InProcessProvider.Client.public(id: "native")
        client.exchangeAudiences = ["https://mail.example"]
        fixture.provider.register(client)
        let session = measured(fixture.session, at: fixture.provider)
        let callback = try await fixture.begin(in: session)
        _ = try await session.completeSignIn(redirectedTo: callback)
        let target = TokenTarget(resources: ["https://mail.example"])
        _ = try await session.accessToken(for: target)
        let durations = metrics.durations("resource_token.duration", ["outcome": "refreshed", "error.type": "none"])
        #expect(durations.count == 1 && metrics.count("refresh.duration") == 0)
    }

    @Test func `a device that can't show its code is recorded`() async throws {
        struct NoScreen: Error {}
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        await #expect(throws: NoScreen.self) {
            try await session.signInWithDeviceCode { _ in throw NoScreen() }
        }
        expectOne("failed", error: "NoScreen")
    }
}
#endif
