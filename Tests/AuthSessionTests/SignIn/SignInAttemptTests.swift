// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// A sign-in at a backend that is unavailable for a moment.
@Suite(.timeLimit(.minutes(5)))
struct SignInAttemptTests {
    private static var options: SessionOptions {
        var options = SessionOptions.still
        options.signInAttempts = 3
        return options
    }

    /// A kind of outage.
    enum Outage: CaseIterable {
        case refusesConnections
        case fails
        case isUnavailable

        func response() throws -> TransportResponse {
            switch self {
            case .refusesConnections: throw TransportError(.connectionRefused, mayHaveReachedServer: false)
            case .fails: .json("{}", status: 500)
            case .isUnavailable: .json("{}", status: 503)
            }
        }
    }

    /// Returns a session whose backend is unavailable for a number of sign-ins.
    private func unavailableFixture(
        _ times: Int,
        _ contract: SessionBackend.Contract = .tokenPair,
        _ outage: Outage = .refusesConnections
    ) throws -> Fixture {
        let fixture = try Fixture(contract, options: Self.options)
        let isPair = contract == .tokenPair
        let left = Mutex(times)
        fixture.backend.on(isPair ? Backend.login : Backend.apple) { _ in
            let isFailing = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isFailing { return try outage.response() }
            return isPair ? Backend.pair(1, user: true) : Backend.sessionToken(1, user: true)
        }
        return fixture
    }

    @Test(arguments: [SessionBackend.Contract.tokenPair, .sessionToken], Outage.allCases)
    func `a sign-in is sent up to three times, one second apart`(
        contract: SessionBackend.Contract,
        outage: Outage
    ) async throws {
        let fixture = try unavailableFixture(2, contract, outage)
        let signIn = Task { try await fixture.signIn() }
        for number in 1...2 {
            await fixture.clock.sleepers()
            fixture.clock.advance(by: .milliseconds(999))
            await settle()
            #expect(fixture.transport.requests.count == number)
            fixture.clock.advance(by: .milliseconds(1))
        }
        #expect(try await signIn.value?.id == "u1")
        #expect(fixture.transport.requests.count == 3)
    }

    @Test(arguments: Outage.allCases) func `a sign-in fails after its third attempt`(outage: Outage) async throws {
        let fixture = try unavailableFixture(3, .tokenPair, outage)
        let signIn = Task { try await fixture.signIn() }
        for _ in 1...2 {
            await fixture.clock.sleepers()
            fixture.clock.advance(by: .seconds(1))
        }
        await #expect(throws: AuthSessionError(.unreachable)) { try await signIn.value }
        #expect(fixture.transport.requests.count == 3)
    }

    @Test func `a rejected sign-in is not retried`() async throws {
        let fixture = try Fixture(options: Self.options)
        fixture.backend.on(Backend.login) { _ in .json("{}", status: 401) }
        await #expect(throws: AuthSessionError(.signInRefused)) { try await fixture.signIn() }
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a sign-in that is cancelled during the pause ends at once`() async throws {
        let fixture = try unavailableFixture(2)
        let signIn = Task { try await fixture.signIn() }
        await fixture.clock.sleepers()
        signIn.cancel()
        await #expect(throws: CancellationError.self) { try await signIn.value }
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a sign-out during the pause ends the sign-in`() async throws {
        let fixture = try unavailableFixture(2)
        let signIn = Task { try await fixture.signIn() }
        await fixture.clock.sleepers()
        await fixture.session.signOut()
        fixture.clock.advance(by: .seconds(1))
        await #expect(throws: AuthSessionError.self) { try await signIn.value }
        #expect(fixture.transport.requests.count == 1)
    }
}
