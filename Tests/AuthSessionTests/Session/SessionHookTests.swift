// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// The hooks that an app gets when a user signs in or out.
@Suite(.timeLimit(.minutes(5)))
struct SessionHookTests {
    /// The names of the called hooks, in order.
    private final class Calls: Sendable {
        private let names = Mutex<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }

        func are(_ expected: [String]) async {
            while names.withLock({ $0.count }) < expected.count { await Task.yield() }
            await settle()
            #expect(names.withLock { $0 } == expected)
        }
    }

    private func options(_ calls: Calls) -> SessionOptions {
        var options = SessionOptions.still
        options.didSignIn = { calls.note("in \($0?.id ?? "nobody")") }
        options.didRestore = { calls.note("restored \($0?.id ?? "nobody")") }
        options.willSignOut = { calls.note("will") }
        options.didSignOut = { calls.note("out \($0)") }
        return options
    }

    @Test func `hooks are called in order, and a restore calls its own`() async throws {
        let calls = Calls()
        let fixture = try await Fixture.signedIn(options: options(calls))
        // The hook before a sign-out does not wait for this one.
        await calls.are(["in u1"])
        await fixture.session.signOut()
        try await fixture.signIn()
        await calls.are(["in u1", "will", "out userSignedOut", "in u1"])
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        await calls.are(["in u1", "will", "out userSignedOut", "in u1", "restored u1"])
    }

    @Test(arguments: [SessionBackend.Contract.sessionToken, .tokenPair])
    func `a restored session calls didRestore once, whatever follows`(contract: SessionBackend.Contract) async throws {
        let calls = Calls()
        let fixture = try await Fixture.signedIn(contract, options: options(calls))
        await calls.are(["in u1"])
        let other = try fixture.otherProcess()
        await other.restore()
        await other.restore()
        await other.validate()
        try await other.refresh()
        fixture.backend.on(Backend.validate, Backend.unreachable)
        fixture.backend.on("/", Backend.unreachable)
        await other.validate()
        fixture.backend.on("/") { _ in .json("{}", status: 404) }
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Backend.user)}"#) }
        await other.reconnect()
        await other.restore()
        await calls.are(["in u1", "restored u1"])
    }

    @Test func `a locked store delays didRestore until the session is read`() async throws {
        let calls = Calls()
        let fixture = try await Fixture.signedIn(options: options(calls))
        await calls.are(["in u1"])
        let other = try fixture.otherProcess()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await other.restore(validating: false)
        await other.restore(validating: false)
        await calls.are(["in u1"])
        fixture.unlockStore()
        await other.reconnect()
        await other.restore(validating: false)
        await calls.are(["in u1", "restored u1"])
    }

    @Test func `an empty store and an unreadable record call no hook`() async throws {
        let calls = Calls()
        let fixture = try Fixture(options: options(calls))
        await fixture.session.restore(validating: false)
        try await fixture.put("not JSON")
        await (try fixture.otherProcess()).restore(validating: false)
        await calls.are([])
    }

    @Test func `a hook that has not returned delays the next hook, but no sign-out`() async throws {
        let calls = Calls()
        let gate = Gate()
        var options = SessionOptions.still
        options.didSignIn = { _ in
            await gate.pass()
            calls.note("in")
        }
        options.didSignOut = { _ in calls.note("out") }
        let fixture = try await Fixture.signedIn(options: options)
        await gate.waitForArrival()
        await fixture.session.signOut()
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        await calls.are([])
        gate.open()
        await calls.are(["in", "out"])
    }

    @Test func `a session that the server ends calls didSignOut without willSignOut`() async throws {
        let calls = Calls()
        let fixture = try await Fixture.signedIn(options: options(calls))
        fixture.backend.on(Backend.pairRefresh) { _ in .json("{}", status: 401) }
        await #expect(throws: AuthSessionError(.sessionEnded)) { try await fixture.session.refresh() }
        await calls.are(["in u1", "out endedByServer"])
    }

    @Test func `a sign-out without a session calls no hook`() async throws {
        let calls = Calls()
        let fixture = try Fixture(options: options(calls))
        await fixture.session.signOut()
        await calls.are([])
    }

    @Test func `a session still provides its token while willSignOut runs`() async throws {
        let seen = Mutex<String?>(nil)
        let session = Mutex<AuthSession?>(nil)
        var options = SessionOptions.still
        options.willSignOut = {
            let token = try? await session.withLock { $0 }?.accessToken().unredacted
            seen.withLock { $0 = token }
        }
        let fixture = try await Fixture.signedIn(options: options)
        session.withLock { $0 = fixture.session }
        await fixture.session.signOut()
        #expect(seen.withLock { $0 } == "access-1")
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a hook that does not return delays a sign-out by five seconds`() async throws {
        var options = SessionOptions.still
        options.willSignOut = { try? await waitForCancellation() }
        let fixture = try await Fixture.signedIn(options: options)
        let signOut = Task { await fixture.session.signOut() }
        await fixture.clock.sleepers()
        #expect(fixture.session.state == fixture.signedInState)
        fixture.clock.advance(by: .seconds(5))
        #expect(await signOut.value.storeError == nil)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }

    /// A user taps twice, and another user signs in before the second tap's hook has returned.
    @Test func `a delayed sign-out does not end a later sign-in`() async throws {
        let isFirst = Mutex(true)
        var options = SessionOptions.still
        options.willSignOut = {
            let isFirst = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if isFirst { try? await waitForCancellation() }
        }
        let fixture = try await Fixture.signedIn(options: options)
        let slow = Task { await fixture.session.signOut() }
        await fixture.clock.sleepers()
        await fixture.session.signOut()
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(5))
        #expect(await slow.value.revocation == .notApplicable)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a cancelled sign-out does not wait for its hook`() async throws {
        var options = SessionOptions.still
        options.willSignOut = { try? await waitForCancellation() }
        let fixture = try await Fixture.signedIn(options: options)
        let signOut = Task { await fixture.session.signOut() }
        await fixture.clock.sleepers()
        signOut.cancel()
        _ = await signOut.value
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }
}
