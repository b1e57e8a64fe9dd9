// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import AuthTesting
import Observation
import SecureStore
import Synchronization
import Testing

@testable import AuthSessionTests
@testable import AuthUI

/// The registration of a device at a backend, over a session whose hooks ask for it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DeviceRegistrationTests {
    /// The app's call to its backend.
    private final class Calls: Sendable {
        struct Refused: Error {}

        private let content = Mutex((tokens: [String](), fails: false))

        var tokens: [String] { content.withLock { $0.tokens } }

        func fail(_ fails: Bool) { content.withLock { $0.fails = fails } }

        func send(_ token: String) throws {
            let fails = content.withLock { content in
                content.tokens.append(token)
                return content.fails
            }
            if fails { throw Refused() }
        }
    }

    private let registration: DeviceRegistration
    private let calls = Calls()
    private let clock = TestClock()

    init() {
        registration = DeviceRegistration(clock: clock)
    }

    /// Returns the options of an app: a push service that names the device "device".
    private var options: SessionOptions {
        var options = SessionOptions()
        options.reconnectsAutomatically = false
        options.didSignIn = { [registration] in await registration.register("device of \($0?.id ?? "nobody")") }
        options.didRestore = { [registration] in await registration.register("device of \($0?.id ?? "nobody")") }
        options.didSignOut = { [registration] _ in await registration.forget() }
        return options
    }

    /// Runs a test while a task of the app registers the device.
    private func run(in session: AuthSession, _ test: () async throws -> Void) async throws {
        let running = Task { [registration, calls] in
            await registration.run(in: session) { try calls.send($0) }
        }
        defer { running.cancel() }
        try await test()
    }

    private func seen(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
        for await isSo in Observations({ condition() }) where isSo { return }
    }

    private func registered(_ count: Int) async {
        while calls.tokens.count < count { await Task.yield() }
        await settle()
        #expect(calls.tokens.count == count)
    }

    @Test func `a sign-in registers once, a sign-out ends that, and another user registers again`() async throws {
        let fixture = try Fixture(.tokenPair, options: options)
        try await run(in: fixture.session) {
            await fixture.session.restore(validating: false)
            #expect(registration.status == .notDue)
            try await fixture.signIn()
            await seen { registration.status == .registered }
            try await fixture.session.refresh()
            await registered(1)
            await fixture.session.signOut()
            await seen { registration.status == .notDue }
            fixture.respondWithOtherUser()
            try await fixture.signIn()
            await seen { registration.status == .registered }
            await registered(2)
            #expect(calls.tokens == ["device of u1", "device of u2"])
        }
    }

    @Test func `a restored session registers once, however often it is restored`() async throws {
        let first = try await Fixture.signedIn(.sessionToken, options: options)
        await seen { registration.status == .due }
        // The other process knows nothing of what is due in the first one.
        registration.forget()
        let other = try first.otherProcess()
        try await run(in: other) {
            await other.restore()
            await other.restore()
            await registered(1)
            await seen { registration.status == .registered }
            first.backend.on(Backend.validate, Backend.unreachable)
            await other.validate()
            first.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Backend.user)}"#) }
            await other.reconnect()
            await registered(1)
        }
    }

    @Test func `a registration that failed offline is sent again once the session is online`() async throws {
        let first = try await Fixture.signedIn(.sessionToken, options: options)
        first.backend.on(Backend.validate, Backend.unreachable)
        calls.fail(true)
        let other = try first.otherProcess()
        try await run(in: other) {
            await other.restore(validating: false)
            await registered(1)
            for await state in other.states { if case .signedIn(_, .offline) = state { break } }
            #expect(registration.status == .due)
            calls.fail(false)
            first.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Backend.user)}"#) }
            await other.reconnect()
            await seen { registration.status == .registered }
            await registered(2)
        }
    }

    @Test func `a registration that a reachable server refuses is sent again after growing pauses`() async throws {
        let fixture = try Fixture(.sessionToken, options: options)
        calls.fail(true)
        try await run(in: fixture.session) {
            try await fixture.signIn()
            await registered(1)
            for (count, pause) in [(2, 60), (3, 120), (4, 240)] {
                await clock.sleepers()
                clock.advance(by: .seconds(pause - 1))
                await registered(count - 1)
                clock.advance(by: .seconds(1))
                await registered(count)
            }
            #expect(registration.status == .due)
            calls.fail(false)
            await clock.sleepers()
            clock.advance(by: .seconds(480))
            await seen { registration.status == .registered }
        }
    }

    @Test func `a token that is replaced while it is sent is not taken for registered`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let gate = Gate()
        registration.register("old")
        let running = Task { [registration, calls, session = fixture.session] in
            await registration.run(in: session) { token in
                if token == "old" { await gate.pass() }
                try calls.send(token)
            }
        }
        defer { running.cancel() }
        await gate.waitForArrival()
        registration.register("new")
        gate.open()
        await seen { registration.status == .registered }
        #expect(calls.tokens == ["old", "new"])
    }
}
