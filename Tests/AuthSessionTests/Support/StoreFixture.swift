// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import Logging
import SecureStore

@testable import AuthSession

/// One session in a store that the test chooses; the test controls its backend and clock.
struct StoreFixture {
    let clock = TestClock()
    let session: AuthSession

    private let backend = Backend()

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - store: The store of the session.
    ///   - options: The options of the session.
    /// - Throws: No error for these constants.
    init(_ store: any SecureStore, options: SessionOptions = .still) throws {
        let (backend, clock) = (backend, clock)
        session = AuthSession(
            backend: try Fixture.sessionBackend(),
            store: store,
            transport: ScriptedTransport { try await backend.response(to: $0) },
            timeout: .seconds(30),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: SessionClock(date: { clock.date }, monotonic: clock),
            options: options,
            lock: .none,
            randomFraction: { 0 }
        )
    }

    func signIn(rememberMe: Bool = true) async throws {
        try await Self.signIn(session, rememberMe: rememberMe)
    }

    /// Signs in with any session.
    static func signIn(_ session: AuthSession, rememberMe: Bool = true) async throws {
        try await session.signIn(
            email: "ada@example.org",
            password: Password("p"),
            rememberMe: rememberMe,
            device: Fixture.device
        )
    }
}

extension SessionOptions {
    /// Options with automatic retries.
    static var reconnecting: SessionOptions {
        var options = SessionOptions.still
        options.reconnectsAutomatically = true
        return options
    }
}
