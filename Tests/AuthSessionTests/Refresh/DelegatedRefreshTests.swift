// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Synchronization
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A refresh that another process carries out, so that a kill of the session's own process loses nothing.
@Suite(.timeLimit(.minutes(5)))
struct DelegatedRefreshTests {
    /// Returns an expired session whose refreshes another process carries out.
    private func expired(_ delegate: RefreshDelegate, _ observers: EventRecorder...) async throws -> Fixture {
        var options = delegate.options
        options.observers = observers
        let fixture = try await Fixture.signedIn(lock: .one(FixedLock(error: nil)), options: options)
        fixture.clock.advance(by: .seconds(900))
        delegate.play(try fixture.otherProcess())
        return fixture
    }

    @Test func `another process refreshes, and its tokens are taken over from the store`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        let server = fixture.rotating()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(delegate.refreshes.count == 1)
        #expect(fixture.refreshes == 1 && server.rotations == 1)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-2")
        #expect(fixture.session.state == fixture.signedInState)
        // A token that is fresh by now costs nothing.
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        try await fixture.session.refresh()
        #expect(try await fixture.session.accessToken().unredacted == "access-3")
        #expect(delegate.refreshes.count == 2)
    }

    @Test func `a process whose caller is gone writes the tokens all the same`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        let (gate, server) = (Gate(), RotatingServer(clock: fixture.clock, grace: .zero))
        fixture.backend.on(Backend.pairRefresh) { request in
            let response = try server.refresh(request)
            await gate.pass()
            return response
        }
        let caller = Task { try await fixture.session.accessToken() }
        await gate.waitForArrival()
        // The session object is never used again, as after a kill.
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        gate.open()
        let next = try fixture.otherProcess()
        while try await fixture.storedRecord().tokenGeneration == 0 { await Task.yield() }
        #expect(try await next.accessToken().unredacted == "access-2")
        #expect(server.reuses == 0)
        #expect(delegate.refreshes.count == 1)
    }

    @Test func `the session refreshes itself if the other process has sent nothing`() async throws {
        let delegate = RefreshDelegate { false }
        let fixture = try await expired(delegate)
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(delegate.refreshes.count == 1)
        #expect(fixture.refreshes == 1)
    }

    @Test func `tokens that a third process has written in the meantime are enough`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        let record = try await fixture.storedRecord()
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        try await other.carryOut(DelegatedRefresh(of: record, for: nil))
        // Nobody starts a process for them.
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(delegate.refreshes.isEmpty)
        // A process that was started late sends nothing.
        try await other.carryOut(DelegatedRefresh(of: record, for: nil))
        #expect(fixture.refreshes == 1)
    }

    @Test func `the end of the session in the other process ends it here, with its reason`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "session_revoked") }
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == .sessionEnded)
        #expect(error.serverCode?.rawValue == "session_revoked")
        #expect(fixture.session.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
        #expect(delegate.refreshes.count == 1)
    }

    @Test func `a failure of the other process is the caller's, and the session stays`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(delegate.refreshes.count == 1)
        #expect(fixture.isOffline)
        #expect(fixture.refreshes == 1)
    }

    @Test func `a process that ends without a word leaves an open outcome, and nothing is sent from here`() async throws
    {
        let delegate = RefreshDelegate { () throws(AuthSessionError) in throw AuthSessionError(.refreshOutcomeUnknown) }
        let fixture = try await expired(delegate)
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(fixture.isOffline)
        #expect(fixture.refreshes == 0)
    }

    @Test func `a failure of the other process after a sign-out leaves the user signed out`() async throws {
        let (delegate, recorder, gate) = (RefreshDelegate(), EventRecorder(), Gate())
        let fixture = try await expired(delegate, recorder)
        fixture.backend.on(Backend.pairRefresh) { request in
            await gate.pass()
            return try await Backend.unreachable(request)
        }
        let caller = Task { try await fixture.session.accessToken() }
        await gate.waitForArrival()
        async let signOut = fixture.session.signOut()
        #expect(await code { try await caller.value } == .notSignedIn)
        gate.open()
        _ = await signOut
        while recorder.refreshes.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a locked store is no sign that the session has ended`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        let faults = fixture.store.faults
        delegate.before { () throws(AuthSessionError) in
            faults.lock()
            throw AuthSessionError(.sessionEnded)
        }
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == fixture.signedInState)
        faults.unlock()
        delegate.before { true }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(delegate.refreshes.count == 2)
    }

    @Test func `the session of a user who signed in meanwhile is not refreshed`() async throws {
        let fixture = try await expired(RefreshDelegate())
        let refresh = DelegatedRefresh(of: try await fixture.storedRecord(), for: nil)
        try await fixture.signInElsewhere()
        let other = try fixture.otherProcess()
        #expect(await code { try await other.carryOut(refresh) } == .notSignedIn)
        #expect(fixture.refreshes == 0)
    }

    @Test func `a token that is over when it comes is used once, by one refresh of the other process`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        fixture.backend.on(Backend.pairRefresh) { [transport = fixture.transport] _ in
            let number = transport.count(of: Backend.pairRefresh) + 1
            return .json(
                #"{"accessToken": "access-\#(number)", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": 0}"#
            )
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(await code { try await fixture.session.accessToken(validFor: .seconds(60)) } == .expiredOnArrival)
        #expect(delegate.refreshes.count == 2)
    }

    @Test func `a token that ends while this process is stopped is no token that was over when it came`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        delegate.after { [clock = fixture.clock] in
            clock.advance(by: .seconds(900))
            delegate.after {}
        }
        #expect(try await fixture.session.accessToken(validFor: .seconds(60)).unredacted == "access-3")
        #expect(delegate.refreshes.count == 2)
    }

    @Test func `no more than sixty processes are started in a minute`() async throws {
        let delegate = RefreshDelegate()
        let fixture = try await expired(delegate)
        for _ in 0..<60 { try await fixture.session.refresh() }
        #expect(await code { try await fixture.session.refresh() } == .tooManyRefreshes)
        #expect(delegate.refreshes.count == 60)
    }

    @Test func `no process is started for a token that a refresh keeps, or for a session in memory alone`() async throws
    {
        let delegate = RefreshDelegate()
        let kept = try await Fixture.signedIn(
            .sessionToken,
            lock: .one(FixedLock(error: nil)),
            options: delegate.options
        )
        try await kept.session.refresh()
        #expect(kept.refreshes == 1)
        let unshared = try await Fixture.signedIn(options: delegate.options)
        try await unshared.session.refresh()
        #expect(unshared.refreshes == 1)
        let forgotten = try Fixture(lock: .one(FixedLock(error: nil)), options: delegate.options)
        try await forgotten.signIn(rememberMe: false)
        try await forgotten.session.refresh()
        #expect(forgotten.refreshes == 1)
        #expect(delegate.refreshes.isEmpty)
    }
}
