import AuthCore
import AuthTesting
import Logging
import SecureStore

@testable import AuthSession

/// One session in a store of the test's choice, its backend and its clock in the test's hand.
struct StoreFixture {
    let clock = TestClock()
    let session: AuthSession

    private let backend = Backend()

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - store: Where it is kept.
    ///   - options: What it does by itself.
    /// - Throws: Nothing for the constants that it is made of.
    init(_ store: any SecureStore, options: SessionOptions = .still) throws {
        let (backend, clock) = (backend, clock)
        session = AuthSession(
            backend: try Fixture.sessionBackend(),
            store: store,
            transport: ScriptedTransport { try await backend.answer($0) },
            timeout: .seconds(30),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: SessionClock(date: { clock.date }, monotonic: clock),
            options: options,
            lock: .none,
            randomFraction: { 0 }
        )
    }

    /// Signs in.
    func signIn(rememberMe: Bool = true) async throws {
        try await Self.signIn(session, rememberMe: rememberMe)
    }

    /// Signs in with any such session.
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
    /// Looks again by itself.
    static var looking: SessionOptions {
        var options = SessionOptions.still
        options.looksAgain = true
        return options
    }
}
