// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Logging
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One session at an OpenID provider, with its store and clock, all controlled by the test.
struct ProviderFixture {
    /// The app's redirect URI, registered at the provider.
    static let redirectURI = "recipe://callback"

    let clock: TestClock
    let store = GatedStore()
    let provider: InProcessProvider
    let openID: OpenIDProvider
    let session: AuthSession

    private let logger: Logger
    private let lock: LockPolicy
    private let options: SessionOptions

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the provider.
    ///   - client: The app as a client of the provider.
    ///   - graceWindow: The grace window that the app assumes.
    ///   - member: The member that the provider leaves out of its metadata.
    ///   - namesUser: Whether ID tokens name the user, so that a sign-in doesn't ask the userinfo endpoint.
    ///   - profile: The provider's profile; nil for the one that the issuer brings by itself.
    ///   - start: The first date of the wall clock.
    ///   - algorithms: The signature algorithms that the app accepts.
    ///   - logger: The logger of the session.
    ///   - lock: The lock among processes.
    ///   - options: The options of the session.
    /// - Throws: No error for a provider with valid metadata.
    init(
        _ configuration: InProcessProvider.Configuration = InProcessProvider.Configuration(),
        client: OpenIDClient = .public(id: "native"),
        graceWindow: Duration? = nil,
        without member: String? = nil,
        namesUser: Bool = true,
        profile: ProviderProfile? = nil,
        startingAt start: Date = Date(timeIntervalSince1970: 1_800_000_000),
        algorithms: [SignatureAlgorithm] = SignatureAlgorithm.all,
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        lock: LockPolicy = .none,
        options: SessionOptions = .still
    ) async throws {
        let clock = TestClock(start)
        self.clock = clock
        self.logger = logger
        self.lock = lock
        self.options = options
        var configuration = configuration
        configuration.includesClaimsInIDToken = namesUser
        provider = InProcessProvider(configuration: configuration, now: { clock.date })
        // In both discovery documents.
        if let member { provider.inject(.responseMember(member, nil, at: .discovery), times: 2) }
        openID = try await Self.discover(provider, client, clock, graceWindow, profile, algorithms)
        session = Self.session(openID, store, provider, clock, logger, lock, options)
    }

    private static func discover(
        _ provider: InProcessProvider,
        _ client: OpenIDClient,
        _ clock: TestClock,
        _ graceWindow: Duration?,
        _ profile: ProviderProfile? = nil,
        _ algorithms: [SignatureAlgorithm] = SignatureAlgorithm.all
    ) async throws -> OpenIDProvider {
        var settings = ProviderSettings()
        settings.transport = provider
        settings.now = { clock.date }
        settings.clock = clock
        settings.refreshGraceWindow = graceWindow
        settings.signatureAlgorithms = algorithms
        let issuer = try Issuer(provider.issuer, profile: profile)
        return try await .discover(issuer: issuer, client: client, settings: settings)
    }

    private static func session(
        _ openID: OpenIDProvider,
        _ store: any SecureStore,
        _ transport: any Transport,
        _ clock: TestClock,
        _ logger: Logger,
        _ lock: LockPolicy,
        _ options: SessionOptions,
        showing date: (@Sendable () -> Date)? = nil
    ) -> AuthSession {
        AuthSession(
            backend: .openID(openID),
            store: store,
            transport: transport,
            timeout: .seconds(30),
            logger: logger,
            clock: SessionClock(date: date ?? { clock.date }, monotonic: clock),
            options: options,
            lock: lock,
            randomFraction: { 0 }
        )
    }

    /// The session's authority.
    var openIDAuthority: OpenIDAuthority { OpenIDAuthority(openID) }

    /// Returns a session that has signed in.
    static func signedIn(
        _ configuration: InProcessProvider.Configuration = InProcessProvider.Configuration(),
        asking parameters: AuthorizationParameters = AuthorizationParameters(),
        graceWindow: Duration? = nil,
        without member: String? = nil,
        namesUser: Bool = true
    ) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture(
            configuration,
            graceWindow: graceWindow,
            without: member,
            namesUser: namesUser
        )
        try await fixture.signIn(parameters)
        return fixture
    }

    /// Returns a session whose access token has expired.
    static func expired(graceWindow: Duration? = nil) async throws -> ProviderFixture {
        let fixture = try await signedIn(graceWindow: graceWindow)
        fixture.clock.advance(by: .seconds(300))
        return fixture
    }

    /// Parameters without a refresh token.
    static let online = AuthorizationParameters(scope: "openid profile email")

    /// Returns a session of another process of the same app: same store, provider and clock.
    ///
    /// - Parameter date: The wall clock of that process; nil for the fixture's.
    /// - Returns: The session.
    func otherProcess(showing date: (@Sendable () -> Date)? = nil) -> AuthSession {
        Self.session(openID, store, provider, clock, logger, lock, options, showing: date)
    }

    /// Returns a session of another process, with a client, a provider or a profile of the test's choice.
    func otherProcess(
        at provider: InProcessProvider,
        as client: OpenIDClient = .public(id: "native"),
        profile: ProviderProfile? = nil
    ) async throws -> AuthSession {
        let openID = try await Self.discover(provider, client, clock, nil, profile)
        return Self.session(openID, store, provider, clock, logger, lock, options)
    }

    /// Signs in, in this process or in another one.
    @discardableResult
    func signIn(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        in other: AuthSession? = nil
    ) async throws -> SessionUser? {
        let session = other ?? session
        return try await session.completeSignIn(redirectedTo: try await begin(parameters, in: session))
    }

    /// Starts a sign-in and completes the user's part at the provider.
    ///
    /// - Returns: The callback URL that opens the app.
    func begin(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        in other: AuthSession? = nil
    ) async throws -> String {
        let url = try await (other ?? session).beginSignIn(redirectURI: Self.redirectURI, parameters)
        return try #require(provider.authorize(url).redirectURL)
    }

    /// Returns the stored item of a key.
    func stored(_ key: StoreKey = SessionRecord.key) async throws -> SecretBytes? {
        try await store.item(forKey: key)
    }

    /// Returns the stored record.
    func storedRecord() async throws -> SessionRecord {
        try SessionRecord(try #require(await stored()))
    }

    /// Returns the number of pending revocations in the store.
    func pendingRevocationCount() async throws -> Int {
        try PendingRevocations(try await stored(PendingRevocations.key)).grants.count
    }

    /// Waits until the store holds no pending revocation.
    func waitForRevocations() async throws {
        while try await pendingRevocationCount() > 0 { await Task.yield() }
    }

    /// The refresh tokens that the provider received, in order.
    var receivedRefreshTokens: [String] {
        provider.requests(at: .token).compactMap { $0.formValue("refresh_token") }
    }

    /// The revoked tokens, in order.
    var revokedTokens: [String] {
        provider.requests(at: .revocation).filter { $0.status == 200 }.compactMap { $0.formValue("token") }
    }

    /// The user at the provider, as ID tokens and the userinfo endpoint describe it.
    let user = SessionUser(id: "248289761001", name: "Jane Doe", email: "jane@example.com")

    var signedInState: SessionState { .signedIn(user, .online) }

    var isOffline: Bool {
        if case .signedIn(_, .offline) = session.state { true } else { false }
    }
}

extension AuthorizationParameters {
    /// Parameters for sender-constrained tokens.
    static var bound: AuthorizationParameters {
        var parameters = AuthorizationParameters()
        parameters.usesDPoP = true
        return parameters
    }
}
