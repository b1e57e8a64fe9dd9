import APIClient
import AuthCore
import AuthTesting
import Logging
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One session at an OpenID provider, with its store and clock, all in the test's hand.
struct ProviderFixture {
    /// An address of the app's own, as the provider knows it.
    static let redirectURI = "recipe://callback"

    let clock: TestClock
    let store = GatedStore()
    let provider: InProcessProvider
    let openID: OpenIDProvider
    let session: AuthSession

    private let logger: Logger

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: What its provider is.
    ///   - client: The app as the provider knows it.
    ///   - graceWindow: How long the app takes the provider to answer a refresh again.
    ///   - member: What the provider leaves out of its metadata.
    ///   - start: What the wall clock shows first.
    ///   - logger: Told what happens.
    /// - Throws: Nothing for a provider whose metadata is sound.
    init(
        _ configuration: InProcessProvider.Configuration = InProcessProvider.Configuration(),
        client: OpenIDClient = .public(id: "native"),
        graceWindow: Duration? = nil,
        without member: String? = nil,
        startingAt start: Date = Date(timeIntervalSince1970: 1_800_000_000),
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws {
        let clock = TestClock(start)
        self.clock = clock
        self.logger = logger
        provider = InProcessProvider(configuration: configuration, now: { clock.date })
        // In both documents that are looked at.
        if let member { provider.inject(.removingAnswerMember(member, at: .discovery), times: 2) }
        openID = try await Self.discover(provider, client, clock, graceWindow)
        session = Self.session(openID, store, provider, clock, logger)
    }

    private static func discover(
        _ provider: InProcessProvider,
        _ client: OpenIDClient,
        _ clock: TestClock,
        _ graceWindow: Duration?
    ) async throws -> OpenIDProvider {
        var settings = ProviderSettings()
        settings.transport = provider
        settings.now = { clock.date }
        settings.clock = clock
        settings.refreshGraceWindow = graceWindow
        return try await .discover(issuer: Issuer(provider.issuer), client: client, settings: settings)
    }

    private static func session(
        _ openID: OpenIDProvider,
        _ store: any SecureStore,
        _ transport: any Transport,
        _ clock: TestClock,
        _ logger: Logger,
        showing date: (@Sendable () -> Date)? = nil
    ) -> AuthSession {
        AuthSession(
            backend: .openID(openID),
            store: store,
            transport: transport,
            timeout: .seconds(30),
            logger: logger,
            clock: SessionClock(date: date ?? { clock.date }, monotonic: clock),
            lock: .none,
            randomFraction: { 0 }
        )
    }

    /// A session that has signed in.
    static func signedIn(
        _ configuration: InProcessProvider.Configuration = InProcessProvider.Configuration(),
        asking parameters: AuthorizationParameters = AuthorizationParameters(),
        graceWindow: Duration? = nil,
        without member: String? = nil
    ) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture(configuration, graceWindow: graceWindow, without: member)
        try await fixture.signIn(parameters)
        return fixture
    }

    /// A session whose access token has ended.
    static func expired(graceWindow: Duration? = nil) async throws -> ProviderFixture {
        let fixture = try await signedIn(graceWindow: graceWindow)
        fixture.clock.advance(by: .seconds(300))
        return fixture
    }

    /// Parameters that ask for no refresh token.
    static let online = AuthorizationParameters(scope: "openid profile email")

    /// Another process of the same app: same store, same provider, same clock.
    ///
    /// - Parameter date: What the wall clock shows there, where that is something else.
    /// - Returns: Its session.
    func otherProcess(showing date: (@Sendable () -> Date)? = nil) -> AuthSession {
        Self.session(openID, store, provider, clock, logger, showing: date)
    }

    /// The same for a client or a provider of the test's choice.
    func otherProcess(
        at provider: InProcessProvider,
        as client: OpenIDClient = .public(id: "native")
    ) async throws -> AuthSession {
        let openID = try await Self.discover(provider, client, clock, nil)
        return Self.session(openID, store, provider, clock, logger)
    }

    /// Signs in, in this process or in another one.
    @discardableResult
    func signIn(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        in other: AuthSession? = nil
    ) async throws -> User? {
        let session = other ?? session
        return try await session.completeSignIn(redirectedTo: try await begin(parameters, in: session))
    }

    /// Begins a sign-in and brings the person through the provider.
    ///
    /// - Returns: The callback that the app is to be opened with.
    func begin(
        _ parameters: AuthorizationParameters = AuthorizationParameters(),
        in other: AuthSession? = nil
    ) async throws -> String {
        let url = try await (other ?? session).beginSignIn(redirectURI: Self.redirectURI, parameters)
        return try #require(provider.authorize(url).redirectURL)
    }

    /// What the store holds under a key.
    func stored(_ key: StoreKey = SessionRecord.key) async throws -> SecretBytes? {
        try await store.item(forKey: key)
    }

    /// The record that the store holds.
    func storedRecord() async throws -> SessionRecord {
        try SessionRecord(try #require(await stored()))
    }

    /// The sign-outs that wait in the store to be told of.
    func keptSignOuts() async throws -> Int {
        try EndedSessions(try await stored(EndedSessions.key)).grants.count
    }

    /// Waits until nothing waits in the store to be told of.
    func everythingIsTold() async throws {
        while try await keptSignOuts() > 0 { await Task.yield() }
    }

    /// The refresh tokens that were shown to the provider, in order.
    var shownRefreshTokens: [String] {
        provider.requests(at: .token).compactMap { $0.formValue("refresh_token") }
    }

    /// The tokens that the provider was asked to take back, in order.
    var revokedTokens: [String] {
        provider.requests(at: .revocation).filter { $0.status == 200 }.compactMap { $0.formValue("token") }
    }

    /// Who signs in at the provider, as the ID token tells it.
    let user = User(id: "248289761001")

    var signedInState: SessionState { .signedIn(user, .online) }

    /// Who signed in, as the provider tells it when it is asked.
    var checkedState: SessionState {
        .signedIn(User(id: user.id, name: "Jane Doe", email: "jane@example.com"), .online)
    }

    var isOffline: Bool {
        if case .signedIn(_, .offline) = session.state { true } else { false }
    }
}

/// Waits until its task is cancelled.
func waitForCancellation() async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    try Task.checkCancellation()
}

/// Gives whatever was begun beside a good chance to happen, before it is said that it has not.
func settle() async {
    for _ in 0..<1_000 { await Task.yield() }
}

extension AuthorizationParameters {
    /// Tokens that are bound to a key.
    static var bound: AuthorizationParameters {
        var parameters = AuthorizationParameters()
        parameters.bindsTokens = true
        return parameters
    }
}
