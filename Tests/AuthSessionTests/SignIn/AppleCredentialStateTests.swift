// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// The question to Apple's system behind a restore.
@Suite(.timeLimit(.minutes(5)))
struct AppleCredentialStateTests {
    private struct NoNetwork: Error {}

    /// Apple's system, controlled by the test.
    private final class System: Sendable {
        let gate = Mutex<Gate?>(nil)
        let asked = Mutex<[String]>([])
        private let result: Result<AppleCredentialState, any Error>

        init(_ result: Result<AppleCredentialState, any Error>) {
            self.result = result
        }

        var options: SessionOptions {
            var options = SessionOptions.still
            options.appleCredentialState = { [self] user in
                asked.withLock { $0.append(user) }
                await gate.withLock { $0 }?.pass()
                return try result.get()
            }
            return options
        }
    }

    private func signIn(_ fixture: Fixture, as user: String? = "001.abc", in session: AuthSession? = nil) async throws {
        let credential = AppleCredential(identityToken: try IDToken("aaa.bbb.ccc"), userIdentifier: user)
        try await (session ?? fixture.session).signIn(with: credential, for: AppleSignInAttempt())
    }

    /// Returns a fixture whose user has signed in with Apple, and a session of a later process.
    private func later(_ system: System, as user: String? = "001.abc") async throws -> (Fixture, AuthSession) {
        let fixture = try Fixture(.sessionToken, options: system.options)
        try await signIn(fixture, as: user)
        return (fixture, try fixture.otherProcess())
    }

    @Test func `a revoked Apple Account signs out behind the restore, with a reason that the user can read`()
        async throws
    {
        let system = System(.success(.revoked))
        let gate = Gate()
        system.gate.withLock { $0 = gate }
        let (fixture, session) = try await later(system)
        await session.restore()
        // The cached session shows while the system is being asked.
        await gate.waitForArrival()
        #expect(session.state == fixture.signedInState)
        gate.open()
        for await state in session.states { if case .signedOut = state { break } }
        #expect(session.state == .signedOut(.appleIDRevoked))
        while try await fixture.stored() != nil { await Task.yield() }
        #expect(system.asked.withLock { $0 } == ["001.abc"])
    }

    @Test func `a sign-in that waits for the browser outlives a revoked Apple Account`() async throws {
        let (fixture, session) = try await later(System(.success(.revoked)))
        let pending = SecretBytes("pending".utf8)
        try await fixture.store.setItem(pending, forKey: .pendingSignIn)
        await session.restore(validating: false)
        #expect(await session.checkAppleCredential() == .revoked)
        #expect(try await fixture.stored() == nil)
        #expect(try await fixture.stored(.pendingSignIn) == pending)
    }

    @Test(arguments: [AppleCredentialState.authorized, .notFound, .transferred])
    func `every other state signs out nobody`(state: AppleCredentialState) async throws {
        let (fixture, session) = try await later(System(.success(state)))
        await session.restore(validating: false)
        #expect(await session.checkAppleCredential() == state)
        #expect(session.state == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `an error of the system signs out nobody`() async throws {
        let (fixture, session) = try await later(System(.failure(NoNetwork())))
        await session.restore(validating: false)
        #expect(await session.checkAppleCredential() == nil)
        #expect(session.state == fixture.signedInState)
    }

    @Test func `a session without an Apple Account asks nothing`() async throws {
        let system = System(.success(.revoked))
        let (_, session) = try await later(system, as: nil)
        await session.restore(validating: false)
        #expect(await session.checkAppleCredential() == nil)
        #expect(system.asked.withLock { $0.isEmpty })
    }

    @Test func `an app that gives no question asks nothing, and so does a restore without validation`() async throws {
        let fixture = try Fixture(.sessionToken)
        try await signIn(fixture)
        #expect(await fixture.session.checkAppleCredential() == nil)
        let system = System(.success(.revoked))
        let (_, session) = try await later(system)
        await session.restore(validating: false)
        await settle()
        #expect(system.asked.withLock { $0.isEmpty })
        // Asked once the app restores by itself.
        await session.restore()
        for await state in session.states { if case .signedOut = state { break } }
        #expect(system.asked.withLock { $0 } == ["001.abc"])
    }

    @Test(arguments: [false, true])
    func `a revocation of the old account leaves a user alone who has signed in meanwhile`(
        isElsewhere: Bool
    ) async throws {
        let system = System(.success(.revoked))
        let gate = Gate()
        let (fixture, session) = try await later(system)
        await session.restore(validating: false)
        system.gate.withLock { $0 = gate }
        let check = Task { await session.checkAppleCredential() }
        await gate.waitForArrival()
        // In this process, or in another one that this process has not noticed.
        try await signIn(fixture, as: "002.def", in: isElsewhere ? fixture.otherProcess() : session)
        gate.open()
        #expect(await check.value == .revoked)
        #expect(session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().appleUser == "002.def")
    }

    @Test func `a revocation leaves a user alone who signs in during the app's hook`() async throws {
        let (arrived, leave) = (Event(), Event())
        var options = System(.success(.revoked)).options
        options.willSignOut = {
            arrived.happen()
            await leave.wait()
        }
        let fixture = try Fixture(.sessionToken, options: options)
        try await signIn(fixture)
        let check = Task { await fixture.session.checkAppleCredential() }
        await arrived.wait()
        #expect(fixture.session.state == fixture.signedInState)
        try await signIn(fixture, as: "002.def")
        leave.happen()
        _ = await check.value
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().appleUser == "002.def")
    }

    @Test func `the account's identifier stays through refreshes`() async throws {
        let fixture = try Fixture(.sessionToken)
        try await signIn(fixture)
        try await fixture.session.refresh()
        let record = try await fixture.storedRecord()
        #expect(record.tokenGeneration == 1)
        #expect(record.appleUser == "001.abc")
    }
}
