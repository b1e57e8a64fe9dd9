// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import TestSupport
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The verified ID token that a session hands out.
@Suite(.timeLimit(.minutes(5)))
struct IDTokenTests {
    @Test func `an ID token that lasts long enough is returned without a request`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let requests = fixture.provider.requests.count
        let token = try await fixture.session.idToken()
        #expect(try await fixture.storedRecord().tokens.idToken == token)
        #expect(try await fixture.session.idToken(validFor: .seconds(300)) == token)
        #expect(try await fixture.otherProcess().idToken() == token)
        #expect(fixture.provider.requests.count == requests)
    }

    @Test func `fifty callers with an expired ID token share one refresh`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens.idToken
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.session.idToken().unredacted } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(tokens.first != before?.unredacted)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a caller during the verification waits for it, and causes no other refresh`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() })
        async let first = relaunched.idToken()
        await gate.waitForArrival()
        async let second = relaunched.idToken()
        await settle()
        gate.open()
        let tokens = try await [first, second]
        #expect(tokens[0] == tokens[1])
        #expect(try await fixture.storedRecord().tokens.idToken == tokens[0])
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a caller that is cancelled during the verification leaves at once`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() })
        let call = Task { try await relaunched.idToken() }
        await gate.waitForArrival()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        gate.open()
    }

    @Test func `a session that takes over tokens verifies their ID token itself`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens.idToken
        let other = fixture.otherProcess()
        try await other.refresh()
        #expect(try await fixture.session.idToken() != before)
        #expect(fixture.provider.refreshCount == 1)
    }

    /// Returns a session whose access token another process's refresh has repeated beside a new ID token, and that token.
    private func refreshedElsewhere(_ lock: SessionLock) async throws -> (ProviderFixture, AccessToken) {
        let fixture = try await ProviderFixture(lock: .one(lock))
        try await fixture.signIn()
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(100))
        repeatAccessToken(token, of: fixture.provider, times: 1)
        try await fixture.otherProcess().refresh()
        return (fixture, token)
    }

    private func withLock(_ test: (SessionLock) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await test(SessionLock(for: MemoryStore().scope, in: folder.url.path))
    }

    /// Makes the provider's next refreshes bring a new ID token beside an access token that it issued before.
    private func repeatAccessToken(_ token: AccessToken, of provider: InProcessProvider, times: Int) {
        let text = JSONValue.string(token.unredacted)
        provider.inject(.responseMember("access_token", text), .claim("at_hash", nil), times: times)
    }

    @Test(arguments: [false, true])
    func `processes whose ID token is due share one refresh while the provider's keys are slow`(
        repeatsAccessToken: Bool
    ) async throws {
        try await withLock { lock in
            let fixture = try await ProviderFixture(lock: .one(lock))
            try await fixture.signIn()
            let before = try await fixture.storedRecord().tokens
            fixture.clock.advance(by: .seconds(100))
            let processes = (0..<4).map { _ in fixture.otherProcess() }
            for process in processes { await process.restore(validating: false) }
            if repeatsAccessToken { repeatAccessToken(before.accessToken, of: fixture.provider, times: 4) }
            let gate = Gate()
            fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() }, times: 4)
            let calls = processes.map { process in
                Task { try await process.idToken(validFor: .seconds(250)).unredacted }
            }
            await gate.waitForArrival()
            await settle()
            gate.open()
            var tokens: Set<String> = []
            for call in calls { tokens.insert(try await call.value) }
            #expect(tokens.count == 1)
            #expect(tokens.first != before.idToken?.unredacted)
            #expect(fixture.provider.refreshCount == 1)
        }
    }

    @Test func `a caller with a refused access token does not get it back from a refresh for an ID token`() async throws
    {
        try await withLock { lock in
            let (fixture, refused) = try await refreshedElsewhere(lock)
            let session = fixture.session
            let (idToken, accessToken) = try await lock.withLock(timeout: .seconds(5)) {
                let idToken = Task { try await session.idToken(validFor: .seconds(250)) }
                while await session.flight == nil { await Task.yield() }
                let accessToken = Task { try await session.credential(insteadOf: refused).accessToken }
                await settle()
                return (idToken, accessToken)
            }
            _ = try await idToken.value
            #expect(try await accessToken.value != refused)
            #expect(fixture.provider.refreshCount == 2)
        }
    }

    @Test
    func `another API's refresh between that for an ID token and that for a refused access token ends no process`()
        async throws
    {
        try await withLock { lock in
            let (fixture, refused) = try await refreshedElsewhere(lock)
            let session = fixture.session
            let calls: [Task<Void, any Error>] = try await lock.withLock(timeout: .seconds(5)) {
                let idToken = Task { _ = try await session.idToken(validFor: .seconds(250)) }
                while await session.flight == nil { await Task.yield() }
                // The provider refuses the API, which does not matter here.
                let api = Task<Void, any Error> {
                    _ = try? await session.accessToken(for: TokenTarget(resources: ["https://bills.example"]))
                }
                await settle()
                let accessToken = Task<Void, any Error> {
                    let new = try await session.credential(insteadOf: refused).accessToken
                    #expect(new != refused)
                }
                await settle()
                return [idToken, api, accessToken]
            }
            for call in calls { try await call.value }
        }
    }

    @Test(arguments: [0.0, 3_600])
    func `an ID token is verified by the provider's clock, even if this device's clock is set before the use`(
        correction: Double
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.clockOffset = .seconds(3_600)
        try await fixture.session.refresh()
        let clock = fixture.clock
        let relaunched = fixture.otherProcess(showing: { clock.date.addingTimeInterval(correction) })
        let token = try await relaunched.idToken()
        #expect(try UnverifiedJWT(token).claims.issuedAt == clock.date.addingTimeInterval(3_600))
    }

    @Test func `an ID token that was issued earlier and is not valid long enough is refreshed once more`() async throws
    {
        let fixture = try await ProviderFixture.signedIn()
        fixture.clock.advance(by: .seconds(100))
        let now = Int64(fixture.clock.date.timeIntervalSince1970)
        fixture.provider.inject(.claim("iat", .integer(now - 100)), .claim("exp", .integer(now + 200)))
        let token = try await fixture.session.idToken(validFor: .seconds(250))
        #expect(try UnverifiedJWT(token).claims.expiration?.timeIntervalSince1970 == Double(now + 300))
        #expect(fixture.provider.refreshCount == 2)
    }

    // MARK: No ID token that lasts long enough

    @Test func `an ID token is not returned if the provider's tokens don't last that long`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        #expect(await code { try await fixture.session.idToken(validFor: .seconds(301)) } == .lifetimeTooShort)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `an expired ID token is not returned if the refresh brings none`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.responseMember("id_token", nil), times: .max)
        for _ in 0..<2 { #expect(await code { try await fixture.session.idToken() } == .lifetimeTooShort) }
        // Another process knows it too.
        let other = fixture.otherProcess()
        #expect(await code { try await other.idToken() } == .lifetimeTooShort)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(
        arguments: [
            (.signature(.wrong), .invalidSignature), (.claim("nonce", .string("another")), .nonceMismatch),
            (.responseMember("id_token", .string("no-jwt")), .malformed),
        ] as [(InProcessProvider.Fault, IDTokenError.Code)]
    )
    func `a new ID token that is rejected is not returned, and the session stays`(
        fault: InProcessProvider.Fault,
        expected: IDTokenError.Code
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(fault)
        await #expect(throws: IDTokenError(expected)) { try await fixture.session.idToken() }
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.provider.refreshCount == 1)
        _ = try await fixture.session.idToken()
    }

    @Test func `a new ID token that can't be verified now is not returned, and the session stays`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        fixture.provider.inject(.unreachable(at: .jwks))
        await #expect(throws: IDTokenError(.keysUnavailable)) { try await relaunched.idToken() }
        #expect(relaunched.state == fixture.signedInState)
    }

    @Test func `a failed refresh is reported`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.unreachable(at: .token), times: .max)
        #expect(await code { try await fixture.session.idToken() } == .unreachable)
        #expect(fixture.isOffline)
    }

    @Test func `a session without a refresh token has no other ID token`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: ProviderFixture.online)
        fixture.clock.advance(by: .seconds(250))
        _ = try await fixture.session.idToken()
        #expect(await code { try await fixture.session.idToken(validFor: .seconds(100)) } == .noRefreshToken)
        #expect(fixture.provider.requests(at: .token).count == 1)
    }

    // MARK: No ID token

    @Test func `a session whose provider issued no ID token has none`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.responseMember("id_token", nil))
        let user = Task {
            try await fixture.session.signInWithDeviceCode { device in
                fixture.provider.approveDevice(userCode: device.userCode)
            }
        }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        _ = try await user.value
        #expect(await code { try await fixture.session.idToken() } == .noIDToken)
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test func `a session at an OAuth 2.0 server has none`() async throws {
        let fixture = try await ProviderFixture()
        let session = AuthSession(
            backend: .openID(.oauth(metadata: fixture.openID.metadata, client: .public(id: "native"))),
            store: MemoryStore(),
            transport: fixture.provider,
            timeout: .seconds(30),
            logger: fixture.session.logger,
            clock: fixture.session.clock
        )
        let parameters = AuthorizationParameters(scope: "openid profile")
        let url = try await session.beginSignIn(redirectURI: ProviderFixture.redirectURI, parameters)
        let callback = try #require(fixture.provider.authorize(url).redirectURL)
        try await session.completeSignIn(redirectedTo: callback)
        #expect(await code { try await session.idToken() } == .noIDToken)
    }

    @Test func `a session at an app's own backend has none`() async throws {
        let fixture = try await Fixture.signedIn()
        #expect(await code { try await fixture.session.idToken() } == .noIDToken)
    }

    @Test func `no ID token is returned if no user is signed in`() async throws {
        let fixture = try await ProviderFixture()
        #expect(await code { try await fixture.session.idToken() } == .notSignedIn)
    }
}
