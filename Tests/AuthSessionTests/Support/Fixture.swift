import APIClient
import AuthCore
import AuthTesting
import Logging
import SecureStore
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One session with its store, clock and backend, all in the test's hand.
struct Fixture {
    let backend = Backend()
    let store = GatedStore()
    let clock = TestClock()
    let transport: ScriptedTransport
    let session: AuthSession

    private let lock: ChosenLock
    private let options: SessionOptions
    private let randomFraction: @Sendable () -> Double

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - contract: What its backend speaks.
    ///   - lock: What it takes among processes.
    ///   - options: What it does by itself.
    ///   - randomFraction: From 0 to 1: which part of a jitter it takes.
    /// - Throws: Nothing for the constants that it is made of.
    init(
        _ contract: SessionBackend.Contract = .tokenPair,
        lock: ChosenLock = .none,
        options: SessionOptions = .still,
        randomFraction: @escaping @Sendable () -> Double = { 0 }
    ) throws {
        let backend = backend
        transport = ScriptedTransport { try await backend.answer($0) }
        self.lock = lock
        self.options = options
        self.randomFraction = randomFraction
        let sessionBackend = try Self.sessionBackend(contract)
        session = Self.session(sessionBackend, store, transport, clock, lock, options, randomFraction)
    }

    private static func session(
        _ backend: SessionBackend,
        _ store: any SecureStore,
        _ transport: ScriptedTransport,
        _ clock: TestClock,
        _ lock: ChosenLock,
        _ options: SessionOptions,
        _ randomFraction: @escaping @Sendable () -> Double
    ) -> AuthSession {
        AuthSession(
            backend: backend,
            store: store,
            transport: transport,
            timeout: .seconds(30),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: SessionClock(date: { clock.date }, monotonic: clock),
            options: options,
            lock: lock,
            randomFraction: randomFraction
        )
    }

    /// A session that has signed in.
    static func signedIn(
        _ contract: SessionBackend.Contract = .tokenPair,
        lock: ChosenLock = .none,
        options: SessionOptions = .still,
        randomFraction: @escaping @Sendable () -> Double = { 0 }
    ) async throws -> Fixture {
        let fixture = try Fixture(contract, lock: lock, options: options, randomFraction: randomFraction)
        try await fixture.signIn()
        return fixture
    }

    /// A session whose access token has expired.
    static func expired(
        _ contract: SessionBackend.Contract = .tokenPair,
        lock: ChosenLock = .none
    ) async throws -> Fixture {
        let fixture = try await signedIn(contract, lock: lock)
        fixture.clock.advance(by: contract == .tokenPair ? .seconds(900) : .seconds(30 * 86_400))
        return fixture
    }

    static let device = DeviceInfo(
        platform: "linux",
        osVersion: "6.1",
        model: "PC",
        appVersion: "2.3",
        installationID: "11111111-2222-3333-4444-555555555555"
    )

    static func sessionBackend(_ contract: SessionBackend.Contract = .tokenPair) throws -> SessionBackend {
        .firstParty(
            baseURL: try BaseURL("https://api.example.org"),
            contract: contract,
            apiKey: try APIKey("key-1")
        )
    }

    @discardableResult
    func signIn(rememberMe: Bool = true) async throws -> User? {
        if session.backend.contract == .sessionToken {
            return try await session.signIn(with: Self.credential(), for: AppleSignInAttempt())
        }
        return try await session.signIn(
            email: "ada@example.org",
            password: Password("hunter2"),
            rememberMe: rememberMe,
            device: Self.device
        )
    }

    /// Has the answer to a sign-in with a password wait.
    ///
    /// - Returns: Where it waits.
    func holdSignIn() -> Gate {
        let gate = Gate()
        backend.on(Backend.login) { _ in
            await gate.pass()
            return Backend.pair(1, user: true)
        }
        return gate
    }

    static func credential(name: String? = nil) throws -> AppleCredential {
        AppleCredential(identityToken: try IDToken("aaa.bbb.ccc"), userIdentifier: nil, email: nil, name: name)
    }

    /// Another process of the same app: same store, same backend, same clock.
    func otherProcess() throws -> AuthSession {
        Self.session(session.backend, store, transport, clock, lock, options, randomFraction)
    }

    /// Signs in, with a password, in another process.
    func signInElsewhere() async throws {
        try await otherProcess().signIn(email: "ada@example.org", password: Password("p"), device: Self.device)
    }

    /// Lets so much time pass without an answer that a refresh is sent again.
    func silence() async {
        await clock.sleepers()
        clock.advance(by: .seconds(4))
    }

    /// What the store holds under a key.
    func stored(_ key: StoreKey = SessionRecord.key) async throws -> SecretBytes? {
        try await store.item(forKey: key)
    }

    /// The record that the store holds.
    func storedRecord() async throws -> SessionRecord {
        try SessionRecord(try #require(await stored()))
    }

    func put(_ text: String) async throws {
        try await store.setItem(SecretBytes(Array(text.utf8)), forKey: SessionRecord.key)
    }

    /// How often either refresh call was sent.
    var refreshes: Int { transport.count(of: Backend.pairRefresh) + transport.count(of: Backend.tokenRefresh) }

    let user = User(id: "u1", name: "Ada Lovelace", email: "ada@example.org", role: "customer")

    var signedInState: SessionState { .signedIn(user, .online) }

    var isOffline: Bool {
        if case .signedIn(_, .offline) = session.state { true } else { false }
    }
}

/// The code of the session error that a call ends with.
func code(_ body: () async throws -> some Sendable) async -> AuthSessionError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? AuthSessionError)?.code
    }
}

/// What was thrown, as a session error.
func sessionError(_ body: () async throws -> some Sendable) async throws -> AuthSessionError {
    do {
        _ = try await body()
    } catch {
        return try #require(error as? AuthSessionError)
    }
    throw NothingThrown()
}

struct NothingThrown: Error {}

extension AuthSession {
    /// The tokens in the hand.
    var heldTokens: TokenSet? { held?.record.tokens }

    /// Whether the store has taken the session.
    var isStored: Bool { held?.stored != nil }
}
