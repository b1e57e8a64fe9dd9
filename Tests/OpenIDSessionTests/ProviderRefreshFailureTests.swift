// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The failures that end a session at a provider, and those that don't.
@Suite(.timeLimit(.minutes(5)))
struct ProviderRefreshFailureTests {
    @Test func `invalid_grant ends the session and clears the store`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.endAllSessions()
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.receivedRefreshTokens.count == 1)
    }

    @Test func `a later call for the token of an ended session throws the provider's code too`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.endAllSessions()
        await fixture.session.validate()
        for _ in 0..<2 {
            let error = try await sessionError { try await fixture.session.accessToken() }
            #expect(error.code == .sessionEnded)
            #expect(error.serverCode?.rawValue == "invalid_grant")
            #expect(error.description.contains("(invalid_grant)"))
        }
    }

    @Test(arguments: [200, 401, 403, 500]) func `invalid_grant ends the session with any status except a server error`(
        status: Int
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.error("invalid_grant", status: status, at: .token))
        let error = try await sessionError { try await fixture.session.accessToken() }
        // Except with a server error, which must say so twice.
        #expect(error.code == (status == 500 ? .unreachable : .sessionEnded))
        #expect(try await (fixture.stored() == nil) == (status != 500))
    }

    @Test(arguments: [500, 503])
    func `invalid_grant with a server error ends the session a minute later, in any process`(
        status: Int
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.error("invalid_grant", description: "Gone.", status: status, at: .token), times: 3)
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == .unreachable && error.serverMessage == nil)
        fixture.clock.advance(by: .seconds(59))
        #expect(await code { try await fixture.session.refresh() } == .unreachable)
        #expect(await fixture.session.refreshRefusal == nil)
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
        fixture.clock.advance(by: .seconds(1))
        let other = fixture.otherProcess()
        let end = try await sessionError { try await other.accessToken() }
        #expect(end.code == .sessionEnded && end.serverCode?.rawValue == "invalid_grant")
        #expect(other.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `invalid_grant with a server error does not end a session that has been refreshed since`() async throws {
        let fixture = try await ProviderFixture.expired()
        let fault = InProcessProvider.Fault.error("invalid_grant", status: 500, at: .token)
        for _ in 0..<3 {
            fixture.provider.inject(fault)
            #expect(await code { try await fixture.session.refresh() } == .unreachable)
            fixture.clock.advance(by: .seconds(60))
            try await fixture.session.refresh()
        }
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a server that fails without a code keeps the session, and the error advises a sign-in after a day`()
        async throws
    {
        let fixture = try await ProviderFixture.expired()
        let began = fixture.clock.date
        fixture.provider.inject(.status(500, at: .token), times: .max)
        for hour in 0..<24 {
            let error = try await sessionError { try await fixture.session.refresh() }
            #expect(error.code == .unreachable && !error.description.contains("Signing"), "hour \(hour)")
            #expect(await fixture.session.refreshRefusal == nil)
            fixture.clock.advance(by: .seconds(3_600))
        }
        let other = fixture.otherProcess()
        let error = try await sessionError { try await other.accessToken() }
        #expect(error.code == .unreachable)
        #expect(error.description.hasSuffix(" Signing in again may help."))
        #expect(await other.refreshRefusal?.since == began)
        #expect(await other.canRefresh)
        fixture.provider.clearFaults()
        try await other.refresh()
        #expect(try await fixture.storedRecord().refreshRefusal == nil)
    }

    @Test func `invalid_grant does not end the session if another process was faster, and its tokens are used`()
        async throws
    {
        let fixture = try await ProviderFixture.expired()
        let other = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(
            .error("invalid_grant", at: .token),
            .delayResponse(at: .token) { await gate.pass() }
        )
        async let token = fixture.session.accessToken()
        await gate.waitForArrival()
        let renewed = try await other.accessToken()
        gate.open()
        #expect(try await token == renewed)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.accessToken == renewed)
        #expect(fixture.provider.activeRefreshTokenCount == 1)
    }

    @Test func `invalid_grant does not end the session if the store can't be read again`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(
            .error("invalid_grant", at: .token),
            .delayResponse(at: .token) { fixture.store.faults.lock() }
        )
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(fixture.session.state == fixture.signedInState)
        fixture.store.faults.unlock()
        #expect(try await fixture.stored() != nil)
    }

    private static let passing: [(InProcessProvider.Fault, AuthSessionError.Code)] = [
        (.error("invalid_client", status: 401, at: .token), .refreshFailed),
        (.error("unauthorized_client", at: .token), .refreshFailed),
        (.error("invalid_scope", at: .token), .refreshFailed),
        (.error("invalid_request", at: .token), .refreshRefused),
        (.error("unsupported_grant_type", at: .token), .refreshFailed),
        (.error("a code of its own", at: .token), .refreshRefused),
        (.status(429, retryAfter: .seconds(7), at: .token), .unreachable),
        (.status(408, at: .token), .unreachable), (.status(500, at: .token), .unreachable),
        (.status(503, at: .token), .unreachable), (.status(502, at: .token), .refreshOutcomeUnknown),
        (.status(504, at: .token), .refreshOutcomeUnknown), (.unreachable(at: .token), .unreachable),
        (.unreachable(at: .token, as: .hostNotFound), .unreachable),
        (.html(at: .token), .refreshOutcomeUnknown), (.html(status: 400, at: .token), .unreachable),
        (.html(status: 401, at: .token), .unreachable), (.status(400, at: .token), .refreshRefused),
        (.status(403, at: .token), .unreachable),
        (.body(#"{"message":"no"}"#, status: 400, at: .token), .refreshRefused),
        (.body(#"{"error":["invalid_grant"]}"#, status: 400, at: .token), .refreshRefused),
        (.body("[]", at: .token), .refreshOutcomeUnknown), (.body("{}", at: .token), .invalidResponse),
        (.redirect(to: "https://elsewhere.example/token", at: .token), .unreachable),
        (.redirect(to: "https://provider.example/api/token", status: 303, at: .token), .unreachable),
    ]

    @Test(arguments: passing) func `every other failure keeps the session, and the next attempt succeeds`(
        fault: InProcessProvider.Fault,
        expected: AuthSessionError.Code
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(fault)
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == expected)
        #expect(!error.endsSession)
        #expect(fixture.isOffline == [.unreachable, .refreshOutcomeUnknown].contains(expected))
        #expect(try await fixture.storedRecord().tokens == before)
        fixture.clock.advance(by: .seconds(10))
        _ = try await fixture.session.accessToken()
        #expect(fixture.session.state == fixture.signedInState)
        #expect(
            fixture.receivedRefreshTokens == Array(repeating: try #require(before.refreshToken).unredacted, count: 2)
        )
        #expect(fixture.provider.requests.allSatisfy { $0.endpoint != nil && $0.endpoint != .api })
    }

    @Test func `no refresh is sent before Retry-After has passed`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.status(429, retryAfter: .seconds(60), at: .token))
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.retryAfter == .seconds(60))
        fixture.clock.advance(by: .seconds(59))
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(fixture.receivedRefreshTokens.count == 1)
        fixture.clock.advance(by: .seconds(1))
        _ = try await fixture.session.accessToken()
        #expect(fixture.receivedRefreshTokens.count == 2)
    }

    @Test func `a token that has not quite expired is returned while the provider can't be reached`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(299))
        fixture.provider.inject(.unreachable(at: .token))
        #expect(try await fixture.session.accessToken() == token)
        #expect(fixture.isOffline)
        #expect(fixture.receivedRefreshTokens.count == 1)
    }

    @Test func `no refresh token is consumed while the store can't be written`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(fixture.receivedRefreshTokens.isEmpty)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(
        arguments: [
            ("access_token", .integer(5)), ("access_token", .string("a b")), ("access_token", .null),
            ("token_type", .string("mac")), ("token_type", .integer(5)),
        ] as [(String, JSONValue)]
    )
    func `a new refresh token is kept without a usable access token, and the next attempt sends it`(
        member: String,
        value: JSONValue
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.responseMember(member, value))
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        let kept = try await fixture.storedRecord().tokens
        #expect(kept.refreshToken != before.refreshToken)
        #expect(kept.accessToken == before.accessToken)
        fixture.clock.advance(by: .seconds(10))
        _ = try await fixture.session.accessToken()
        #expect(fixture.receivedRefreshTokens.last == kept.refreshToken?.unredacted)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a new refresh token that comes with another user's ID token is revoked, not stored`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.responseMember("token_type", .string("mac")), .claim("sub", .string("another-person")))
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        #expect(try await fixture.storedRecord().tokens == before)
        try await fixture.session.flush()
        #expect(fixture.provider.requests(at: .revocation).count == 1)
    }

    @Test(arguments: [JSONValue.integer(5), .array([]), .string("")])
    func `an access token is kept if its new refresh token can't be read`(value: JSONValue) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.responseMember("refresh_token", value))
        let token = try await fixture.session.accessToken()
        #expect(token != before.accessToken)
        #expect(try await fixture.storedRecord().tokens.refreshToken == before.refreshToken)
    }

    @Test(arguments: [.unsupported, .invalidRequest, .browserUnavailable, .unusableCredential] as [OpenIDError.Code])
    func `a refresh that was not sent has used up no token`(code: OpenIDError.Code) async throws {
        let provider = try #require(try await ProviderFixture().session.provider)
        guard case .failed(let error) = RefreshOutcome(providerFailure: OpenIDError(.token, code), at: provider) else {
            Issue.record("the refresh may have been sent")
            return
        }
        #expect(error.code == .refreshFailed)
    }
}
