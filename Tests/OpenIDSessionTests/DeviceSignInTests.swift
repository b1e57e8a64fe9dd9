// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Synchronization
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// A sign-in on another device, on a clock that the test advances.
@Suite(.timeLimit(.minutes(5)))
struct DeviceSignInTests {
    /// A sign-in that waits for the user.
    private final class Attempt: Sendable {
        let fixture: ProviderFixture
        private let shown = Mutex<DeviceAuthorization?>(nil)
        private let begun = Event()

        init(_ fixture: ProviderFixture) {
            self.fixture = fixture
        }

        func start(_ parameters: AuthorizationParameters = AuthorizationParameters()) -> Task<SessionUser?, any Error> {
            Task {
                try await fixture.session.signInWithDeviceCode(parameters) { device in
                    self.shown.withLock { $0 = device }
                    self.begun.happen()
                }
            }
        }

        /// Returns the authorization that was shown to the user.
        func device() async throws -> DeviceAuthorization {
            await begun.wait()
            return try #require(shown.withLock { $0 })
        }

        /// Advances the clock while the device waits between two polls.
        func pass(_ span: Duration) async {
            await fixture.clock.sleepers()
            fixture.clock.advance(by: span)
        }

        /// The number of polls.
        var polls: Int { fixture.provider.requests(at: .token).count }
    }

    @Test func `a sign-in shows a code and a URL, and completes once the user approves`() async throws {
        let attempt = Attempt(try await ProviderFixture())
        let user = attempt.start()
        let device = try await attempt.device()
        #expect(device.verificationURI == "https://provider.example/device")
        #expect(device.verificationURIComplete == "https://provider.example/device?user_code=\(device.userCode)")
        #expect(device.lifetime == .seconds(600))
        #expect(attempt.fixture.provider.approveDevice(userCode: device.userCode))
        await attempt.pass(.seconds(5))
        #expect(try await user.value == attempt.fixture.user)
        #expect(attempt.polls == 1)
        #expect(attempt.fixture.session.state == attempt.fixture.signedInState)
        #expect(try await attempt.fixture.storedRecord().tokens.refreshToken != nil)
    }

    @Test func `polling respects the provider's interval and slow_down`() async throws {
        let attempt = Attempt(try await ProviderFixture())
        let user = attempt.start()
        let device = try await attempt.device()
        await attempt.pass(.milliseconds(4_999))
        await settle()
        #expect(attempt.polls == 0)
        await attempt.pass(.milliseconds(1))
        await attempt.fixture.clock.sleepers()
        #expect(attempt.polls == 1)
        attempt.fixture.provider.inject(.error("slow_down", at: .token))
        await attempt.pass(.seconds(5))
        await attempt.fixture.clock.sleepers()
        #expect(attempt.polls == 2)
        attempt.fixture.provider.approveDevice(userCode: device.userCode)
        await attempt.pass(.seconds(9))
        await settle()
        #expect(attempt.polls == 2)
        await attempt.pass(.seconds(1))
        #expect(try await user.value == attempt.fixture.user)
        #expect(attempt.polls == 3)
    }

    @Test func `polling continues at a longer interval if the provider can't be reached`() async throws {
        let attempt = Attempt(try await ProviderFixture())
        let user = attempt.start()
        let device = try await attempt.device()
        attempt.fixture.provider.approveDevice(userCode: device.userCode)
        attempt.fixture.provider.inject(.unreachable(at: .token))
        await attempt.pass(.seconds(5))
        await attempt.pass(.seconds(9))
        await settle()
        #expect(attempt.polls == 1)
        await attempt.pass(.seconds(1))
        #expect(try await user.value == attempt.fixture.user)
    }

    @Test func `tokens are sender-constrained if DPoP is requested`() async throws {
        let attempt = Attempt(try await ProviderFixture())
        let user = attempt.start(.bound)
        attempt.fixture.provider.approveDevice(userCode: try await attempt.device().userCode)
        await attempt.pass(.seconds(5))
        _ = try await user.value
        #expect(try await attempt.fixture.storedRecord().tokens.dpopKey != nil)
        try await attempt.fixture.session.refresh()
        #expect(attempt.fixture.provider.requests(at: .token).allSatisfy { $0.fields[.dpop] != nil })
    }

    @Test func `a denied authorization counts as cancelled`() async throws {
        let attempt = Attempt(try await ProviderFixture())
        let user = attempt.start()
        attempt.fixture.provider.denyDevice(userCode: try await attempt.device().userCode)
        await attempt.pass(.seconds(5))
        let error = await #expect(throws: OpenIDError.self) { try await user.value }
        #expect(error == OpenIDError(.deviceAuthorization, .cancelled))
        #expect(error?.oauthCode == .accessDenied)
        #expect(error?.description.contains("(access_denied)") == true)
        #expect(try await attempt.fixture.stored() == nil)
    }

    @Test(arguments: [12, 600]) func `a code that is not approved in time expires`(lifetime: Int) async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.deviceCodeLifetime = .seconds(lifetime)
        let attempt = Attempt(try await ProviderFixture(configuration))
        let user = attempt.start()
        _ = try await attempt.device()
        // By the provider's error in one case, and by the clock here in the other.
        let oauthError = lifetime == 600 ? "expired_token" : "authorization_pending"
        attempt.fixture.provider.inject(.error(oauthError, at: .token), times: .max)
        for _ in 0..<(lifetime == 12 ? 3 : 1) { await attempt.pass(.seconds(5)) }
        let error = await #expect(throws: OpenIDError.self) { try await user.value }
        #expect(error == OpenIDError(.deviceAuthorization, .timedOut))
        #expect(try await attempt.fixture.stored() == nil)
    }

    @Test func `a cancelled sign-in ends at once and stops polling`() async throws {
        let attempt = Attempt(try await ProviderFixture())
        let user = attempt.start()
        _ = try await attempt.device()
        await attempt.fixture.clock.sleepers()
        user.cancel()
        await #expect(throws: CancellationError.self) { try await user.value }
        #expect(attempt.fixture.clock.sleeperCount == 0)
        #expect(attempt.polls == 0)
        #expect(try await attempt.fixture.stored() == nil)
    }

    @Test(
        arguments: [
            (.error("unauthorized_client", at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .refused)),
            (.status(503, at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .serverFailed)),
            (.unreachable(at: .deviceAuthorization), OpenIDError(.deviceAuthorization, .unreachable)),
            (
                .responseMember("user_code", nil, at: .deviceAuthorization),
                OpenIDError(.deviceAuthorization, .malformedResponse)
            ),
            (
                .responseMember("verification_uri", .string("http://evil.example"), at: .deviceAuthorization),
                OpenIDError(.deviceAuthorization, .invalidResponse)
            ),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `no code is shown if the authorization request fails`(
        fault: InProcessProvider.Fault,
        expected: OpenIDError
    ) async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(fault)
        let error = await #expect(throws: OpenIDError.self) {
            try await fixture.session.signInWithDeviceCode { _ in Issue.record("the code was shown") }
        }
        #expect(error == expected)
    }

    @Test func `an error thrown while showing the code ends the sign-in`() async throws {
        let fixture = try await ProviderFixture()
        await #expect(throws: SecureStoreError(.full)) {
            try await fixture.session.signInWithDeviceCode { _ in throw SecureStoreError(.full) }
        }
        #expect(fixture.provider.requests(at: .token).isEmpty)
    }

    @Test func `a sign-in does not start while the store is locked`() async throws {
        let fixture = try await ProviderFixture()
        fixture.store.faults.lock()
        #expect(await code { try await fixture.session.signInWithDeviceCode { _ in } } == .storeUnavailable)
        #expect(fixture.provider.requests(at: .deviceAuthorization).isEmpty)
    }
}
