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

    @Test func `a refused program is recorded by the session's code`() async throws {
        let program = try await Program()
        let session = measured(program.session, at: program.provider)
        program.provider.inject(.error("invalid_client", at: .token))
        #expect(await code { try await session.signInAsClient() } == .signInRefused)
        expectOne("failed", error: "signInRefused")
    }

    @Test func `a program that signs in is recorded, and one that is signed in is not`() async throws {
        let program = try await Program()
        let session = measured(program.session, at: program.provider)
        try await session.signInAsClient()
        try await session.signInAsClient()
        expectOne("success")
    }

    @Test func `a redirect of another issuer is recorded by the error's type`() async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        fixture.provider.inject(.callbackParameter("iss", "https://evil.example"))
        let callback = try await fixture.begin(in: session)
        #expect(metrics.count("sign_in.duration") == 0)
        await #expect(throws: AuthorizationError(.issuerMismatch)) {
            try await session.completeSignIn(redirectedTo: callback)
        }
        expectOne("failed", error: "AuthorizationError")
    }

    @Test func `a redirect whose code can't be exchanged is recorded by the session's code`() async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        let callback = try await fixture.begin(in: session)
        fixture.provider.inject(.unreachable(at: .token))
        #expect(await code { try await session.completeSignIn(redirectedTo: callback) } == .unreachable)
        expectOne("failed", error: "unreachable")
    }

    private static let pages: [(AuthorizationError.Code, String, String)] = [
        (.noBrowser, "failed", "AuthorizationError"), (.cancelled, "cancelled", "none"),
    ]

    @Test(arguments: pages)
    func `a page that can't be opened is a failure, and a page that the user closes is not`(
        code: AuthorizationError.Code,
        outcome: String,
        error: String
    ) async throws {
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        await #expect(throws: AuthorizationError(code)) {
            try await session.signIn(redirectURI: ProviderFixture.redirectURI, AuthorizationParameters()) { _ in
                throw AuthorizationError(code)
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

    @Test func `a device that can't show its code is recorded`() async throws {
        struct NoScreen: Error {}
        let fixture = try await ProviderFixture()
        let session = measured(fixture.session, at: fixture.provider)
        await #expect(throws: NoScreen.self) {
            try await session.signInWithDeviceCode { _ in throw NoScreen() }
        }
        expectOne("failed", error: "other")
    }

    private static let errors: [any Error] = [
        AuthorizationError(.refused), ClientAssertionError(.keyUnavailable), ClientPolicyError(.tokensNotBound),
        DeviceAuthorizationError(.refused), DiscoveryError(.unreachable), IDTokenError(.missing),
        TokenEndpointError(.refused), UserInfoError(.unreachable),
    ]

    @Test(arguments: errors)
    func `an error of a provider is recorded by its type`(error: any Error) {
        #expect(MeasuredOutcome(error).name == String(describing: type(of: error)))
    }
}
#endif
