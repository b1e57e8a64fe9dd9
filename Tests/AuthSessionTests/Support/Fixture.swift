// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
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

/// One session with its store, clock and backend, all controlled by the test.
struct Fixture {
    let backend = Backend()
    let store = GatedStore()
    let clock = TestClock()
    let transport: ScriptedTransport
    let session: AuthSession

    private let lock: LockPolicy
    private let options: SessionOptions
    private let randomFraction: @Sendable () -> Double
    private let countsBoot: Bool

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - contract: The contract of the backend.
    ///   - apiKey: The API key of the backend.
    ///   - lock: The lock among processes.
    ///   - options: The options of the session.
    ///   - randomFraction: A number from 0 to 1: the fraction of a jitter that applies.
    ///   - countsBoot: Whether the processes know the time since the machine's start.
    /// - Throws: No error for these constants.
    init(
        _ contract: SessionBackend.Contract = .tokenPair,
        apiKey: String = "key-1",
        lock: LockPolicy = .none,
        options: SessionOptions = .still,
        randomFraction: @escaping @Sendable () -> Double = { 0 },
        countsBoot: Bool = false
    ) throws {
        let backend = backend
        transport = ScriptedTransport { try await backend.response(to: $0) }
        self.lock = lock
        self.options = options
        self.randomFraction = randomFraction
        self.countsBoot = countsBoot
        let sessionBackend = try Self.sessionBackend(contract, apiKey: apiKey)
        session = Self.session(sessionBackend, store, transport, clock, lock, options, randomFraction, countsBoot)
    }

    private static func session(
        _ backend: SessionBackend,
        _ store: any SecureStore,
        _ transport: ScriptedTransport,
        _ clock: TestClock,
        _ lock: LockPolicy,
        _ options: SessionOptions,
        _ randomFraction: @escaping @Sendable () -> Double,
        _ countsBoot: Bool
    ) -> AuthSession {
        var sessionClock = SessionClock(date: { clock.date }, monotonic: clock)
        if countsBoot { sessionClock.bootTime = { clock.bootTime } }
        return AuthSession(
            backend: backend,
            store: store,
            transport: transport,
            timeout: .seconds(30),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: sessionClock,
            options: options,
            lock: lock,
            randomFraction: randomFraction
        )
    }

    /// Returns a session that has signed in.
    static func signedIn(
        _ contract: SessionBackend.Contract = .tokenPair,
        apiKey: String = "key-1",
        lock: LockPolicy = .none,
        options: SessionOptions = .still,
        randomFraction: @escaping @Sendable () -> Double = { 0 },
        countsBoot: Bool = false
    ) async throws -> Fixture {
        let fixture = try Fixture(
            contract,
            apiKey: apiKey,
            lock: lock,
            options: options,
            randomFraction: randomFraction,
            countsBoot: countsBoot
        )
        try await fixture.signIn()
        return fixture
    }

    /// Returns a session whose access token has expired.
    static func expired(
        _ contract: SessionBackend.Contract = .tokenPair,
        apiKey: String = "key-1",
        lock: LockPolicy = .none
    ) async throws -> Fixture {
        let fixture = try await signedIn(contract, apiKey: apiKey, lock: lock)
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

    static func sessionBackend(
        _ contract: SessionBackend.Contract = .tokenPair,
        apiKey: String = "key-1"
    ) throws -> SessionBackend {
        .firstParty(
            baseURL: try BaseURL("https://api.example.org"),
            contract: contract,
            apiKey: try APIKey(apiKey)
        )
    }

    @discardableResult
    func signIn(rememberMe: Bool = true, in other: AuthSession? = nil) async throws -> SessionUser? {
        let session = other ?? session
        if session.backend.contract == .sessionToken {
            return try await session.signIn(with: Self.credential(), for: AppleSignInAttempt())
        }
        return try await session.signIn(
            email: "ada@example.org",
            password: Password("hunter2-hunter2"),
            rememberMe: rememberMe,
            device: Self.device
        )
    }

    /// Holds the response to a sign-in with a password back.
    ///
    /// - Returns: The gate at which the response waits.
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

    /// Returns a session of another process: same store and clock, and the same backend unless another one is given.
    func otherProcess(at other: SessionBackend? = nil) throws -> AuthSession {
        Self.session(other ?? session.backend, store, transport, clock, lock, options, randomFraction, countsBoot)
    }

    /// Signs in with a password in another process.
    func signInElsewhere() async throws {
        try await otherProcess().signIn(email: "ada@example.org", password: Password("p"), device: Self.device)
    }

    /// Advances the clock until an unanswered refresh is sent again.
    func silence() async {
        await clock.sleepers()
        clock.advance(by: .seconds(4))
    }

    /// Returns the stored item of a key.
    func stored(_ key: StoreKey = SessionRecord.key) async throws -> SecretBytes? {
        try await store.item(forKey: key)
    }

    /// Returns the stored record.
    func storedRecord() async throws -> SessionRecord {
        try SessionRecord(try #require(await stored()))
    }

    func put(_ text: String) async throws {
        try await store.setItem(SecretBytes(Array(text.utf8)), forKey: SessionRecord.key)
    }

    /// The number of refresh requests of both contracts.
    var refreshes: Int { transport.count(of: Backend.pairRefresh) + transport.count(of: Backend.tokenRefresh) }

    let user = SessionUser(id: "u1", name: "Ada Lovelace", email: "ada@example.org", role: "customer")

    var signedInState: SessionState { .signedIn(user, .online) }

    var isOffline: Bool {
        if case .signedIn(_, .offline) = session.state { true } else { false }
    }
}

/// Returns the code of the session error that a call throws.
func code(_ body: () async throws -> some Sendable) async -> AuthSessionError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? AuthSessionError)?.code
    }
}

/// Returns the session error that a call throws.
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
    /// The tokens in memory.
    var inMemoryTokens: TokenSet? { current?.record.tokens }

    /// Whether the store holds the session.
    var isStored: Bool { current?.stored != nil }

    /// The refresh in flight.
    var flight: RefreshFlight? { coordinator.flight }

    /// The task that retries the write of tokens.
    var saving: Task<Void, Never>? { unsavedTokens.saving }

    /// The task that revokes the tokens of earlier sign-outs.
    var revocationFlush: Task<Void, Never>? { revocations.revocationFlush }

    /// Stores a grant that is still to be revoked.
    func enqueueRevocation(_ grant: EndedGrant) async -> Bool { await revocations.enqueue(grant) }
}
