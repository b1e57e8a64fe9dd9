// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests

/// The service on a session at a backend whose tokens live for 15 minutes and are due after 14.
@Suite(.timeLimit(.minutes(5)))
struct SessionRefreshServiceTests {
    private static func signIn(_ session: AuthSession) async throws {
        try await session.signIn(email: "ada@example.org", password: Password("hunter2"), device: Fixture.device)
    }

    private static let refused: Backend.Handler = { _ in Backend.failure(401, code: "invalid_grant") }

    private func accessToken(of session: AuthSession) async -> String? {
        await session.inMemoryTokens?.accessToken.unredacted
    }

    // MARK: Refreshes

    @Test func `a token is refreshed when it is due, without a caller`() async throws {
        let fixture = try await Fixture.signedIn()
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(839)
        #expect(fixture.refreshes == 0)
        await service.pass(5)
        #expect(fixture.refreshes == 1)
        #expect(await accessToken(of: fixture.session) == "access-2")
        await service.pass(845)
        #expect(await accessToken(of: fixture.session) == "access-3")
        service.stop()
        await service.ended()
    }

    @Test func `a token that is due while it can still be sent is refreshed in the background`() async throws {
        let fixture = try await Fixture.signedIn(randomFraction: { 1 })
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(809)
        #expect(fixture.refreshes == 0)
        await service.pass(2)
        while await accessToken(of: fixture.session) != "access-2" { await Task.yield() }
        await service.pass(60)
        #expect(fixture.refreshes == 1)
        service.stop()
        await service.ended()
    }

    @Test func `a fresh token costs no request, and few sleeps`() async throws {
        let fixture = try await Fixture.signedIn()
        let before = fixture.transport.requests.count
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(839)
        #expect(fixture.transport.requests.count == before)
        #expect((14...24).contains(service.sleeps))
        service.stop()
        await service.ended()
    }

    @Test func `a wall clock that is set back delays no refresh`() async throws {
        let fixture = try await Fixture.signedIn()
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(1)
        fixture.clock.stepDate(by: .seconds(-86_400))
        await service.pass(899)
        #expect(fixture.refreshes == 1)
        service.stop()
        await service.ended()
    }

    @Test func `a stored session is restored`() async throws {
        let fixture = try await Fixture.signedIn()
        let session = try fixture.otherProcess()
        let service = await RunningService.start(session, on: fixture.clock)
        await service.pass(844)
        #expect(session.state == fixture.signedInState)
        #expect(await accessToken(of: session) == "access-2")
        service.stop()
        await service.ended()
    }

    // MARK: Faults

    @Test func `after a fault the refresh is tried again, with growing pauses`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(1_000)
        let attempts = fixture.refreshes
        #expect((3...12).contains(attempts))
        #expect(fixture.isOffline)
        #expect(service.sleeps < 40)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        await service.pass(130)
        #expect(fixture.refreshes == attempts + 1)
        #expect(await accessToken(of: fixture.session) == "access-2")
        #expect(fixture.session.state == fixture.signedInState)
        service.stop()
        await service.ended()
    }

    @Test func `a locked store is waited for, and nobody signs in meanwhile`() async throws {
        let fixture = try await Fixture.signedIn()
        let session = try fixture.otherProcess()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        let signIns = Counter()
        let service = await RunningService.start(session, on: fixture.clock) {
            signIns.increment()
        }
        await service.pass(120)
        #expect(session.state == .locked(SecureStoreError(.locked)))
        fixture.unlockStore()
        await service.pass(61)
        #expect(session.state == fixture.signedInState)
        #expect(signIns.count == 0)
        #expect(service.sleeps < 20)
        service.stop()
        await service.ended()
    }

    // MARK: Sign-ins

    @Test func `a program is signed in at the start, and again once after the server has ended the session`()
        async throws
    {
        let fixture = try Fixture()
        fixture.backend.on(Backend.pairRefresh, Self.refused)
        let session = fixture.session
        let service = await RunningService.start(session, on: fixture.clock) { try await Self.signIn(session) }
        await service.pass(10)
        #expect(fixture.transport.count(of: Backend.login) == 1)
        #expect(session.state == fixture.signedInState)
        await service.pass(840)
        #expect(fixture.refreshes == 1)
        #expect(fixture.transport.count(of: Backend.login) == 2)
        #expect(session.state == fixture.signedInState)
        await service.pass(600)
        #expect(fixture.transport.count(of: Backend.login) == 2)
        service.stop()
        await service.ended()
    }

    @Test func `the end of a session that another caller meets is noticed at once`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh, Self.refused)
        let session = fixture.session
        let service = await RunningService.start(session, on: fixture.clock) { try await Self.signIn(session) }
        await service.pass(1)
        #expect(await code { try await session.refresh() } == .sessionEnded)
        for await state in session.states where state == fixture.signedInState { break }
        #expect(fixture.transport.count(of: Backend.login) == 2)
        service.stop()
        await service.ended()
    }

    @Test(arguments: [true, false])
    func `a sign-in that does not last is repeated with growing pauses`(signsIn: Bool) async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.pairRefresh, Self.refused)
        let session = fixture.session
        let signIns = Counter()
        let service = await RunningService.start(session, on: fixture.clock) {
            signIns.increment()
            guard signsIn else { return }
            try await Self.signIn(session)
            // The server ends the session.
            _ = try? await session.refresh()
        }
        await service.pass(600)
        #expect((10...27).contains(signIns.count))
        service.stop()
        await service.ended()
    }

    @Test func `a refused sign-in is repeated, but not before the server allows`() async throws {
        let fixture = try Fixture()
        let signIns = Counter()
        let service = await RunningService.start(fixture.session, on: fixture.clock) {
            signIns.increment()
            throw AuthSessionError(.unreachable, retryAfter: .seconds(200))
        }
        await service.pass(199)
        #expect(signIns.count == 1)
        await service.pass(60)
        #expect(signIns.count == 2)
        service.stop()
        await service.ended()
    }

    @Test func `a sign-out on purpose stands until the app signs in`() async throws {
        let fixture = try await Fixture.signedIn()
        let signIns = Counter()
        let service = await RunningService.start(fixture.session, on: fixture.clock) {
            signIns.increment()
        }
        await service.pass(1)
        await fixture.session.signOut()
        await settle()
        let sleeps = service.sleeps
        fixture.clock.advance(by: .seconds(86_400))
        await settle()
        #expect(service.sleeps == sleeps)
        #expect(signIns.count == 0)
        try await fixture.signIn()
        await service.pass(844)
        #expect(fixture.refreshes == 1)
        #expect(signIns.count == 0)
        service.stop()
        await service.ended()
    }

    @Test func `without a sign-in, the service waits asleep for the app's`() async throws {
        let fixture = try Fixture()
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        for await state in fixture.session.states where state == .signedOut(.noSession) { break }
        await settle()
        fixture.clock.advance(by: .seconds(86_400))
        await settle()
        #expect(service.sleeps == 0)
        try await fixture.signIn()
        await service.pass(844)
        #expect(fixture.refreshes == 1)
        service.stop()
        await service.ended()
    }

    // MARK: The end

    @Test(arguments: [true, false])
    func `the end during a refresh keeps the new tokens`(byCancellation: Bool) async throws {
        let fixture = try await Fixture.signedIn()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(839)
        fixture.clock.advance(by: .seconds(5))
        await gate.waitForArrival()
        service.stop(byCancellation: byCancellation)
        await settle()
        #expect(!service.hasEnded)
        gate.open()
        await service.ended()
        let stored = try await fixture.storedRecord()
        #expect(stored.tokens.accessToken.unredacted == "access-2")
        #expect(stored.refreshBegunAt == nil)
        #expect(fixture.refreshes == 1)
    }

    @Test func `the wait for a refresh at the end has a limit`() async throws {
        let fixture = try await Fixture.signedIn()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        await service.pass(839)
        fixture.clock.advance(by: .seconds(5))
        await gate.waitForArrival()
        let sleeps = service.sleeps
        service.stop()
        while service.sleeps == sleeps { await Task.yield() }
        fixture.clock.advance(by: .seconds(61))
        await service.ended()
        gate.open()
    }

    @Test(arguments: [true, false])
    func `a service that waits for a sign-in ends`(byCancellation: Bool) async throws {
        let fixture = try Fixture()
        let service = await RunningService.start(fixture.session, on: fixture.clock)
        for await state in fixture.session.states where state == .signedOut(.noSession) { break }
        service.stop(byCancellation: byCancellation)
        await service.ended()
    }
}
#endif
