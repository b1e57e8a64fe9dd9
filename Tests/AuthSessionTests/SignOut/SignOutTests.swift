// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

@Suite struct SignOutTests {
    @Test func `a sign-out ends the local session and revokes its tokens`() async throws {
        let fixture = try await Fixture.signedIn()
        let result = await fixture.session.signOut()
        let request = try #require(fixture.transport.requests.last)
        #expect(result.revocation == .revoked)
        #expect(result.storeError == nil)
        #expect(fixture.transport.count(of: Backend.logout) == 1)
        #expect(request.header("Authorization") == "Bearer access-1")
        #expect(try request.members == ["refreshToken": .string("refresh-1")])
        #expect(try await fixture.stored() == nil)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a sign-out of a locked store prompts nobody, and succeeds after the app has unlocked it`() async throws
    {
        let fixture = try await Fixture.signedIn()
        let faults = fixture.store.faults
        faults.lock(unlocking: true)
        #expect(await fixture.session.signOut().storeError == SecureStoreError(.locked))
        #expect(faults.promptCount == 0)
        try await fixture.store.unlock(timeout: .seconds(60))
        let result = await fixture.session.signOut()
        #expect(result.storeError == nil)
        #expect(faults.promptCount == 1)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `the first of two concurrent sign-outs ends the session, and both leave the store empty`() async throws {
        let fixture = try await Fixture.signedIn()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let first = Task { await fixture.session.signOut() }
        await gate.waitForArrival()
        let second = Task { await fixture.session.signOut() }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        #expect(await first.value.revocation == .revoked)
        #expect(await second.value == SignOutResult(revocation: .notApplicable, storeError: nil))
        #expect(fixture.transport.count(of: Backend.logout) == 1)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a second sign-out before the store is read ends the session too`() async throws {
        let fixture = try await Fixture.signedIn()
        let other = try fixture.otherProcess()
        let gate = Gate()
        fixture.store.faults.delayCalls { await gate.pass() }
        let first = Task { await other.signOut() }
        await gate.waitForArrival()
        let second = Task { await other.signOut() }
        for _ in 0..<100 { await Task.yield() }
        fixture.store.faults.delayCalls(nil)
        gate.open()
        let results = [await first.value.revocation, await second.value.revocation]
        #expect(results.contains(.revoked))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a second sign-out ends a sign-in that began after the first`() async throws {
        let fixture = try await Fixture.signedIn()
        let server = Gate()
        fixture.backend.on(Backend.logout) { _ in
            await server.pass()
            return TransportResponse(head: HTTPResponse(status: .noContent))
        }
        let first = Task { await fixture.session.signOut() }
        await server.waitForArrival()
        let login = Gate()
        fixture.backend.on(Backend.login) { _ in
            await login.pass()
            return Backend.pair(7, user: true)
        }
        let attempt = Task { await code { try await fixture.signIn() } }
        await login.waitForArrival()
        await fixture.session.signOut()
        login.open()
        #expect(await attempt.value == .superseded)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        server.open()
        _ = await first.value
    }

    @Test func `the next sign-out removes a record that could not be removed`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await fixture.session.signOut().storeError?.code == .locked)
        fixture.store.faults.failAll(with: nil)
        #expect(try await fixture.stored() != nil)
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .notApplicable, storeError: nil))
        #expect(try await fixture.stored() == nil)
        #expect(fixture.transport.count(of: Backend.logout) == 1)
    }

    @Test func `a session stays signed out after two failed removals once the store is unlocked`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        for _ in 0..<2 { #expect(await fixture.session.signOut().storeError?.code == .locked) }
        fixture.store.faults.failAll(with: nil)
        #expect(try await fixture.stored() != nil)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(await fixture.session.signOut().storeError == nil)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a session stays signed out if clearing the store fails`() async throws {
        let fixture = try Fixture()
        await fixture.session.restore()
        try await fixture.signInElsewhere()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await fixture.session.signOut().storeError?.code == .locked)
        fixture.store.faults.failAll(with: nil)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `the next sign-out revokes the tokens if the first one could not reach the server`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        fixture.backend.on(Backend.logout, Backend.unreachable)
        #expect(await fixture.session.signOut().revocation == .failed)
        fixture.store.faults.failAll(with: nil)
        fixture.backend.on(Backend.logout) { _ in TransportResponse(head: HTTPResponse(status: .noContent)) }
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .revoked, storeError: nil))
        #expect(try fixture.transport.requests.last?.members == ["refreshToken": .string("refresh-1")])
    }

    @Test func `the next sign-out revokes tokens that another process has refreshed since`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await fixture.session.signOut()
        fixture.store.faults.failAll(with: nil)
        try await fixture.otherProcess().refresh()
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .revoked, storeError: nil))
        #expect(try fixture.transport.requests.last?.members == ["refreshToken": .string("refresh-2")])
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a failed removal is not repeated after a later sign-in in another process`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await fixture.session.signOut()
        fixture.store.faults.failAll(with: nil)
        fixture.backend.on(Backend.login) { _ in Backend.pair(7, user: true) }
        try await fixture.signInElsewhere()
        #expect(await fixture.session.signOut().storeError == nil)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-7")
    }

    @Test func `a sign-out of a session in memory keeps the stored session of another process`() async throws {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: false)
        try await fixture.signInElsewhere()
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `a failed read does not let a sign-out remove a later sign-in`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(7, user: true) }
        try await fixture.signInElsewhere()
        fixture.store.faults.failCall(1, with: SecureStoreError(.timedOut))
        #expect(await fixture.session.signOut().storeError == nil)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-7")
    }

    @Test func `a sign-out empties the store even if its caller is cancelled`() async throws {
        let fixture = try await Fixture.signedIn()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let caller = Task { await fixture.session.signOut() }
        await gate.waitForArrival()
        caller.cancel()
        gate.open()
        #expect(await caller.value.storeError == nil)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `an expired token is refreshed before the revocation is sent`() async throws {
        let fixture = try await Fixture.expired()
        #expect(await fixture.session.signOut().revocation == .revoked)
        let request = try #require(fixture.transport.requests.last)
        #expect(fixture.refreshes == 1)
        #expect(request.header("Authorization") == "Bearer access-2")
        #expect(try request.members == ["refreshToken": .string("refresh-2")])
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a token that has expired only for the server is refreshed, and the new tokens are revoked`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.logout) { request in
            request.header("Authorization") == "Bearer access-1"
                ? Backend.failure(401, code: "token_expired")
                : TransportResponse(head: HTTPResponse(status: .noContent))
        }
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(try fixture.transport.requests.last?.members == ["refreshToken": .string("refresh-2")])
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a sign-out ends the local session even if the server can't be reached`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.logout, Backend.unreachable)
        #expect(await fixture.session.signOut().revocation == .failed)
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
    }

    @Test func `a sign-out with a session token sends no revocation`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        #expect(await fixture.session.signOut().revocation == .notApplicable)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a sign-out reports a locked store`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await fixture.session.signOut().storeError?.code == .locked)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a sign-out from a locked store that was never read reports the lock, and the state stays locked`()
        async throws
    {
        let fixture = try Fixture()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        let result = await fixture.session.signOut()
        #expect(result.storeError?.code == .locked)
        #expect(result.revocation == .notApplicable)
        #expect(fixture.session.state == .locked(SecureStoreError(.locked)))
    }

    @Test func `no token is returned while a slow store removes the session`() async throws {
        let fixture = try await Fixture.signedIn()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let result = fixture.session.signOut()
        await gate.waitForArrival()
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        gate.open()
        #expect(await result.storeError == nil)
    }

    @Test func `a session is not restored while a sign-out removes it from a store that was just unlocked`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        let other = try fixture.otherProcess()
        fixture.store.faults.failCall(1, with: SecureStoreError(.locked))
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let result = other.signOut()
        await gate.waitForArrival()
        #expect(await code { try await other.accessToken() } == .storeUnavailable)
        gate.open()
        #expect(await result.storeError == nil)
        #expect(await code { try await other.accessToken() } == .notSignedIn)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a sign-out without a session does not remove a sign-in of another process`() async throws {
        let fixture = try Fixture()
        await fixture.session.restore()
        try await fixture.signInElsewhere()
        await fixture.session.signOut()
        #expect(try await fixture.stored() != nil)
    }

    @Test func `a sign-out of an unsaved session also removes and revokes the session before it`() async throws {
        let fixture = try await Fixture.signedIn()
        // Refreshed, so that its generation is higher.
        try await fixture.session.refresh()
        let revoked = RevokedTokens(fixture.backend)
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        fixture.backend.on(Backend.login) { _ in Backend.pair(7, user: true) }
        try await fixture.signIn()
        fixture.store.faults.failWrites(with: nil)
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .revoked, storeError: nil))
        #expect(try await fixture.stored() == nil)
        // The tokens of this session, and those of the one before.
        await revoked.expect(["refresh-2", "refresh-7"])
    }

    @Test func `a sign-out of an unsaved session keeps a later sign-in of another process`() async throws {
        let fixture = try Fixture()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        try await fixture.signIn()
        fixture.store.faults.failWrites(with: nil)
        fixture.backend.on(Backend.login) { _ in Backend.pair(7, user: true) }
        try await fixture.signInElsewhere()
        #expect(await fixture.session.signOut().storeError == nil)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-7")
    }

    @Test func `a sign-out reports busy if the record changes during every removal`() async throws {
        let fixture = try await Fixture.signedIn()
        let record = Mutex(try await fixture.storedRecord())
        let isChanging = Atomic(false)
        fixture.store.faults.delayCalls { [faults = fixture.store.faults] in
            guard !isChanging.exchange(true, ordering: .sequentiallyConsistent) else { return }
            let item = try record.withLock { record in
                record.tokenGeneration += 1
                return try record.encoded()
            }
            try await faults.setItem(item, forKey: SessionRecord.key)
            isChanging.store(false, ordering: .sequentiallyConsistent)
        }
        #expect(await fixture.session.signOut().storeError?.code == .busy)
        fixture.store.faults.delayCalls(nil)
        #expect(try await fixture.stored() != nil)
    }
}
