// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AppShell
import AuthCore
import AuthSession
import AuthTesting
import HTTPTypes
import Observation
import SecureStore
import Synchronization
import Testing

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

    /// A backend that signs one user in, and can be made unreachable.
    private final class Backend: Sendable {
        private static let token = """
            eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIiwiaWF0IjoxMDAwMDAwLCJleHAiOjM1OTIwMDB9.c2ln
            """
        private let content = Mutex((user: "u1", isReachable: true))
        private let store = MemoryStore()

        func signInOnly(_ user: String) { content.withLock { $0.user = user } }

        func setReachable(_ isReachable: Bool) { content.withLock { $0.isReachable = isReachable } }

        private func response(to request: TransportRequest) throws -> TransportResponse {
            let (user, isReachable) = content.withLock { $0 }
            guard isReachable else { throw TransportError(.connectionRefused, mayHaveReachedServer: false) }
            switch request.head.path {
            case "/api/auth/apple": return .json(#"{"success":true,"token":"\#(Self.token)","user":{"id":"\#(user)"}}"#)
            case "/api/auth/refresh": return .json(#"{"success":true,"token":"\#(Self.token)"}"#)
            case "/api/auth/validate": return .json(#"{"success":true,"user":{"id":"\#(user)"}}"#)
            default: return .json("{}", status: 404)
            }
        }

        /// Returns a session of a process; all have the same store.
        func session(_ options: SessionOptions) throws -> AuthSession {
            AuthSession(
                backend: .firstParty(baseURL: try BaseURL("https://api.example.org"), contract: .sessionToken),
                store: store,
                transport: ScriptedTransport { [self] in try response(to: $0) },
                options: options
            )
        }
    }

    private let registration: DeviceRegistration
    private let backend = Backend()
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
        // Gives concurrent work time to run, before a test expects that nothing has happened.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(calls.tokens.count == count)
    }

    private func signIn(to session: AuthSession) async throws {
        let credential = AppleCredential(identityToken: try IDToken("aaa.bbb.ccc"))
        try await session.signIn(with: credential, for: AppleSignInAttempt())
    }

    private func signedInSession() async throws -> AuthSession {
        let session = try backend.session(options)
        try await signIn(to: session)
        return session
    }

    @Test func `a sign-in registers once, a sign-out ends that, and another user registers again`() async throws {
        let session = try backend.session(options)
        try await run(in: session) {
            await session.restore(validating: false)
            #expect(registration.status == .notDue)
            try await signIn(to: session)
            await seen { registration.status == .registered }
            try await session.refresh()
            await registered(1)
            await session.signOut()
            await seen { registration.status == .notDue }
            backend.signInOnly("u2")
            try await signIn(to: session)
            await seen { registration.status == .registered }
            await registered(2)
            #expect(calls.tokens == ["device of u1", "device of u2"])
        }
    }

    @Test func `a restored session registers once, however often it is restored`() async throws {
        _ = try await signedInSession()
        await seen { registration.status == .due }
        // The other process knows nothing of what is due in the first one.
        registration.forget()
        let other = try backend.session(options)
        try await run(in: other) {
            await other.restore()
            await other.restore()
            await registered(1)
            await seen { registration.status == .registered }
            backend.setReachable(false)
            await other.validate()
            backend.setReachable(true)
            await other.reconnect()
            await registered(1)
        }
    }

    @Test func `a registration that failed offline is sent again once the session is online`() async throws {
        _ = try await signedInSession()
        backend.setReachable(false)
        calls.fail(true)
        let other = try backend.session(options)
        try await run(in: other) {
            await other.restore(validating: false)
            await registered(1)
            for await state in other.states { if case .signedIn(_, .offline) = state { break } }
            #expect(registration.status == .due)
            calls.fail(false)
            backend.setReachable(true)
            await other.reconnect()
            await seen { registration.status == .registered }
            await registered(2)
        }
    }

    @Test func `a registration that a reachable server refuses is sent again after growing pauses`() async throws {
        let session = try backend.session(options)
        calls.fail(true)
        try await run(in: session) {
            try await signIn(to: session)
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
        let session = try backend.session(SessionOptions())
        try await signIn(to: session)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (openings, open) = AsyncStream.makeStream(of: Void.self)
        registration.register("old")
        let running = Task { [registration, calls] in
            await registration.run(in: session) { token in
                if token == "old" {
                    arrived.finish()
                    for await _ in openings {}
                }
                try calls.send(token)
            }
        }
        defer { running.cancel() }
        for await _ in arrivals {}
        registration.register("new")
        open.finish()
        await seen { registration.status == .registered }
        #expect(calls.tokens == ["old", "new"])
    }
}
