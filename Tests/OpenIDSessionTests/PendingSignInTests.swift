// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored part of a sign-in while the user is in the browser.
@Suite(.timeLimit(.minutes(5)))
struct PendingSignInTests {
    private func expectNothingPending(
        _ fixture: ProviderFixture,
        _ callback: String,
        in session: AuthSession? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: OpenIDError(.authorization, .noPendingAuthorization), sourceLocation: location) {
            try await (session ?? fixture.session).completeSignIn(redirectedTo: callback)
        }
    }

    /// Changes one member of the stored pending sign-in.
    private func change(_ member: String, to value: JSONValue?, in fixture: ProviderFixture) async throws {
        let item = try #require(await fixture.stored(.pendingSignIn))
        var members = try JSONDecoder().decode([String: JSONValue].self, from: Data(item.unredacted))
        members[member] = value
        let changed = SecretBytes(try JSONEncoder().encode(members))
        try await fixture.store.setItem(changed, forKey: .pendingSignIn)
    }

    @Test func `a callback is accepted half an hour after the sign-in began`() async throws {
        let fixture = try await ProviderFixture()
        let url = try await fixture.session.beginSignIn(redirectURI: ProviderFixture.redirectURI)
        fixture.clock.advance(by: .seconds(1_800))
        let callback = try #require(fixture.provider.authorize(url).redirectURL)
        #expect(try await fixture.otherProcess().completeSignIn(redirectedTo: callback) == fixture.user)
    }

    @Test(arguments: [1_801, -301])
    func `a callback is rejected after half an hour, and if it arrives before the sign-in began`(
        seconds: Int
    ) async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        fixture.clock.stepDate(by: .seconds(seconds))
        await expectNothingPending(fixture, callback)
        #expect(fixture.provider.requests(at: .token).isEmpty)
    }

    @Test(arguments: [1_801, -301])
    func `a pending sign-in outside its time limits is removed with its verifier and key`(
        seconds: Int
    ) async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin(.bound)
        fixture.clock.stepDate(by: .seconds(seconds))
        await expectNothingPending(fixture, callback)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `a restore removes an expired pending sign-in`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        _ = try await fixture.begin()
        fixture.clock.stepDate(by: .seconds(1_800))
        await fixture.otherProcess().restore()
        await settle()
        #expect(try await fixture.stored(.pendingSignIn) != nil)
        fixture.clock.stepDate(by: .seconds(1))
        await fixture.otherProcess().restore()
        while try await fixture.stored(.pendingSignIn) != nil { await Task.yield() }
        #expect(try await fixture.storedRecord().user?.id == fixture.user.id)
    }

    @Test func `an expired pending sign-in is removed if no user is signed in`() async throws {
        let fixture = try await ProviderFixture(startingAt: Date(timeIntervalSinceNow: -1_801))
        _ = try await fixture.begin()
        #expect(try await AuthSession.stored(in: fixture.store, of: [.openID]) == nil)
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `a new sign-in removes an expired pending sign-in, and a sign-out removes any`() async throws {
        let fixture = try await ProviderFixture()
        _ = try await fixture.begin()
        fixture.clock.advance(by: .seconds(1_801))
        await #expect(throws: CancellationError.self) {
            try await fixture.session.signInWithDeviceCode { _ in throw CancellationError() }
        }
        #expect(try await fixture.stored(.pendingSignIn) == nil)
        try await fixture.signIn()
        _ = try await fixture.begin()
        await fixture.session.signOut()
        #expect(try await fixture.stored(.pendingSignIn) == nil)
    }

    @Test func `a used or damaged pending sign-in is removed, and one of a newer version is not`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        for item in [SecretBytes("used".utf8), SecretBytes([0xFF]), SecretBytes(#"{"version":1}"#.utf8)] {
            try await fixture.store.setItem(item, forKey: .pendingSignIn)
            await expectNothingPending(fixture, callback)
            #expect(try await fixture.stored(.pendingSignIn) == nil)
        }
        let newer = SecretBytes(#"{"version":2}"#.utf8)
        try await fixture.store.setItem(newer, forKey: .pendingSignIn)
        await expectNothingPending(fixture, callback)
        #expect(try await fixture.stored(.pendingSignIn) == newer)
    }

    @Test func `a callback can be used only once`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        try await fixture.session.completeSignIn(redirectedTo: callback)
        await expectNothingPending(fixture, callback)
        await expectNothingPending(fixture, callback, in: fixture.otherProcess())
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a callback that yields no session is consumed too`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        fixture.provider.inject(.unreachable(at: .token))
        #expect(await code { try await fixture.session.completeSignIn(redirectedTo: callback) } == .unreachable)
        await expectNothingPending(fixture, callback)
    }

    @Test func `only one of two processes uses a callback that both receive`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        let other = fixture.otherProcess()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let attempts = [fixture.session, other].map { session in
            Task { () -> Bool in
                do {
                    return try await session.completeSignIn(redirectedTo: callback) != nil
                } catch let error as OpenIDError where error.reason == .noPendingAuthorization {
                    return false
                }
            }
        }
        await gate.waitForArrival()
        await settle()
        gate.open()
        let outcomes = [try await attempts[0].value, try await attempts[1].value]
        #expect(outcomes.count { $0 } == 1)
        #expect(fixture.provider.requests(at: .token).count == 1)
        #expect(fixture.provider.activeRefreshTokenCount == 1)
    }

    @Test(
        arguments: [
            ("", OpenIDError(.authorization, .redirectMismatch)),
            ("recipe://other?code=a&state=b", OpenIDError(.authorization, .redirectMismatch)),
            ("https://callback?code=a", OpenIDError(.authorization, .redirectMismatch)),
            ("recipe://callback/x?code=a", OpenIDError(.authorization, .redirectMismatch)),
            ("recipe://callback", OpenIDError(.authorization, .stateMismatch)),
            ("recipe://callback?code=a", OpenIDError(.authorization, .stateMismatch)),
            ("recipe://callback?code=a&state=other", OpenIDError(.authorization, .stateMismatch)),
            ("recipe://callback?error=access_denied&state=other", OpenIDError(.authorization, .stateMismatch)),
            ("recipe://callback?a=1&a=1", OpenIDError(.authorization, .stateMismatch)),
            ("recipe://callback?code=%", OpenIDError(.authorization, .stateMismatch)),
        ] as [(String, OpenIDError)]
    )
    func `a URL that any app can open keeps the sign-in pending`(
        url: String,
        expected: OpenIDError
    ) async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        let error = await #expect(throws: OpenIDError.self) {
            try await fixture.session.completeSignIn(redirectedTo: url)
        }
        #expect(error == expected)
        #expect(fixture.provider.requests(at: .token).isEmpty)
        #expect(try await fixture.session.completeSignIn(redirectedTo: callback) == fixture.user)
    }

    @Test func `a callback with another issuer is rejected and consumed`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.callbackParameter("iss", "https://evil.example"))
        let callback = try await fixture.begin()
        await #expect(throws: OpenIDError(.authorization, .issuerMismatch)) {
            try await fixture.session.completeSignIn(redirectedTo: callback)
        }
        await expectNothingPending(fixture, callback)
        #expect(fixture.provider.requests(at: .token).isEmpty)
    }

    @Test func `a pending sign-in of another provider or client is not used and stays pending`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        let clock = fixture.clock
        let other = InProcessProvider(issuer: "https://other.example", now: { clock.date })
        await expectNothingPending(fixture, callback, in: try await fixture.otherProcess(at: other))
        let otherClient = try await fixture.otherProcess(at: fixture.provider, as: .public(id: "another"))
        await expectNothingPending(fixture, callback, in: otherClient)
        #expect(other.requests(at: .token).isEmpty)
        #expect(try await fixture.session.completeSignIn(redirectedTo: callback) == fixture.user)
    }

    @Test func `a new sign-in replaces the pending one`() async throws {
        let fixture = try await ProviderFixture()
        let first = try await fixture.begin()
        let second = try await fixture.begin()
        await #expect(throws: OpenIDError(.authorization, .stateMismatch)) {
            try await fixture.session.completeSignIn(redirectedTo: first)
        }
        #expect(try await fixture.session.completeSignIn(redirectedTo: second) == fixture.user)
    }

    @Test func `a pending sign-in can be cancelled`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        try await fixture.session.cancelPendingSignIn()
        await expectNothingPending(fixture, callback)
    }

    @Test func `a store that can't be read or written fails the sign-in and keeps it pending`() async throws {
        let fixture = try await ProviderFixture()
        fixture.store.faults.lock()
        #expect(await code { try await fixture.begin() } == .storeUnavailable)
        fixture.store.faults.unlock()
        let callback = try await fixture.begin()
        fixture.store.faults.lock()
        #expect(await code { try await fixture.session.completeSignIn(redirectedTo: callback) } == .storeUnavailable)
        fixture.store.faults.unlock()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(await code { try await fixture.session.completeSignIn(redirectedTo: callback) } == .storeUnavailable)
        #expect(fixture.provider.requests(at: .token).isEmpty)
        fixture.store.faults.failWrites(with: nil)
        #expect(try await fixture.session.completeSignIn(redirectedTo: callback) == fixture.user)
    }

    @Test(
        arguments: [
            ("version", .integer(2)), ("state", .string("short")), ("state", nil), ("codeVerifier", .string("short")),
            ("codeVerifier", .integer(1)), ("proofKey", .string("***")), ("proofKey", .string("AAAA")),
            ("maximumAge", .number(1e300)), ("maximumAge", .integer(-1)), ("beganAt", .string("now")),
            ("beganAt", .number(1e300)), ("authority", .null), ("authority", .object([:])), ("resources", .string("a")),
        ] as [(String, JSONValue?)]
    )
    func `a damaged pending sign-in is ignored`(member: String, value: JSONValue?) async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        try await change(member, to: value, in: fixture)
        await expectNothingPending(fixture, callback)
        #expect(fixture.provider.requests(at: .token).isEmpty)
    }

    @Test func `a pending sign-in with an unknown member can be completed`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        try await change("unknown", to: .integer(1), in: fixture)
        #expect(try await fixture.session.completeSignIn(redirectedTo: callback) == fixture.user)
    }
}
