// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
public import Logging
public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A user's session: restores, refreshes, signs in and out, and hands out access tokens.
///
/// One session object owns one session of the store. Any number of tasks may use it. A session ends if the user signs
/// out or the server says so, if another sign-in replaces it, if its access token has expired and can't be refreshed,
/// or if Apple's system says that the user's Apple Account was revoked. Nothing else ends it.
public actor AuthSession {
    /// The backend at which the session signs in and refreshes.
    public nonisolated let backend: SessionBackend

    package nonisolated let store: any SecureStore
    package nonisolated let authority: any TokenAuthority
    package nonisolated let logger: Logger
    package nonisolated let clock: SessionClock
    nonisolated let publisher: SessionPublisher
    /// The source of jitter, from 0 to 1.
    let randomFraction: @Sendable () -> Double

    /// The session in memory, whose members change only in ``apply(_:)`` and ``modify(_:)``.
    ///
    /// The publisher has the published state; it alone knows whether the session is restoring, offline or locked.
    private(set) var core = Session()
    var reconnection = Reconnection()
    let repository: SessionRepository
    let revocations: RevocationQueue
    var coordinator = RefreshCoordinator()
    /// Whether this session carries out the refreshes of another process, and so delegates none.
    var isDelegate = false
    var unsavedTokens = UnsavedTokens()
    /// The work that refreshes have left behind, and that no caller waits for but ``flush()``.
    ///
    /// A task waits for the earlier ones. Nil once all have ended.
    var trailingWork: Task<Void, Never>?
    /// The number of these tasks that have not ended.
    var trailingTasks = 0
    let lock: RefreshLock
    let background: any BackgroundAssertion
    /// The time without a response after which a refresh is sent a second time, well within a server's grace window.
    let replayDelay: Duration
    let options: SessionOptions

    /// Creates a session.
    ///
    /// Nothing is read and no request is sent before the session is used.
    ///
    /// - Parameters:
    ///   - transport: The transport of the requests; nil for the platform's.
    ///   - timeout: The longest wait for one response of the backend.
    ///   - logger: The logger for events at level `debug`, and for failed writes and other faults at `warning`; never
    ///     given a secret. Silent by default.
    ///   - now: The wall clock, for times that are stored and read again at the next launch.
    ///   - clock: The monotonic clock, for times while this process lives. It must count while the machine sleeps.
    ///     Otherwise a server's window would seem open after it has closed.
    ///   - background: The request to the system not to suspend the app during a refresh; nil if it suspends no apps.
    public init(
        backend: SessionBackend,
        store: any SecureStore,
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.session", factory: { _ in SwiftLogNoOpLogHandler() }),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        background: (any BackgroundAssertion)? = nil,
        options: SessionOptions = SessionOptions()
    ) {
        self.init(
            backend: backend,
            store: store,
            transport: transport,
            timeout: timeout,
            logger: logger,
            clock: SessionClock(date: now, monotonic: clock),
            background: background,
            options: options
        )
    }

    /// Creates a session with the additional settings of tests and simulations.
    package init(
        backend: SessionBackend,
        store: any SecureStore,
        transport: (any Transport)?,
        timeout: Duration,
        logger: Logger,
        clock: SessionClock,
        background: (any BackgroundAssertion)? = nil,
        options: SessionOptions = .still,
        replayDelay: Duration = .seconds(4),
        lock: LockPolicy = .ofTheStore,
        randomFraction: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        let connection = AuthorityConnection(transport: transport, timeout: timeout, clock: clock, logger: logger)
        authority = backend.authority.connected(over: connection)
        self.backend = SessionBackend(authority, revokingAt: backend.kinds)
        publisher = SessionPublisher(of: authority, options)
        repository = SessionRepository(store, of: authority, logger)
        revocations = RevocationQueue(store, repository, of: self.backend, over: connection)
        // Shorter than a call's timeout, so that the call can still report the reason for its wait.
        self.lock = RefreshLock(lock, of: store, timeout: min(timeout, .seconds(30)) * 4 / 5, logger)
        self.background = background ?? NoBackgroundAssertion()
        self.replayDelay = replayDelay
        self.options = options
        self.store = store
        self.logger = logger
        self.clock = clock
        self.randomFraction = randomFraction
    }

    /// The current state of the session.
    public nonisolated var state: SessionState { publisher.state }

    /// The times at which the access token was issued and expires, by the wall clock; nil if no token is published.
    public nonisolated var accessTokenLifetime: TokenLifetime? {
        publisher.tokens?.lifetime.restated(at: clock.reading())
    }

    /// The scope of the access token, as the server named it or else as requested; nil if unknown, or without a token.
    ///
    /// [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public nonisolated var scope: Scope? { publisher.tokens?.scope }

    /// Whether an expired access token can be refreshed; false if the user is signed out.
    public var canRefresh: Bool { current.map { authority.canRefresh($0.record.tokens) } ?? false }

    /// Whether the access token is bound to a key, and usable only together with this session.
    ///
    /// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
    public var isSenderConstrained: Bool { current?.record.tokens.dpopKeyBytes != nil }

    /// Whether the session is persisted beyond this process; false if the user is signed out.
    package var isRemembered: Bool { current?.isRemembered ?? false }

    /// The strength with which the store protects the session.
    public nonisolated var protection: StoreProtection { get async { await store.protection } }

    /// A stream of all states from now on, beginning with the current one.
    ///
    /// It contains each change exactly once. It ends with its consumer, and with the session.
    public nonisolated var states: AsyncStream<SessionState> { publisher.states }

    /// The error of the last write, if the newest tokens or the user's profile are not in the store; nil if they are.
    ///
    /// They stay in memory. The write is retried with growing pauses of up to a minute, with every refresh, and
    /// with ``flush()``.
    public var persistenceError: SecureStoreError? { current?.persistenceError }

    /// The part of the scope requested at the sign-in that the access token doesn't have; nil if it has all.
    ///
    /// Known as far as the server's responses name the granted scope.
    /// [RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3),
    /// [6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
    public var missingScope: Scope? { current?.record.missingScope }

    /// The server's last refusal to refresh; nil once a refresh has succeeded.
    ///
    /// A server that has failed at each refresh for a day counts as refusing. Kept with the session, so that it is known in
    /// another process, too.
    public var refreshRefusal: RefreshRefusal? {
        current?.record.refreshRefusal.flatMap { $0.isLasting(at: clock.reading()) ? $0 : nil }
    }

    var current: CurrentSession? { core.current }

    /// The counter of sign-ins, sign-outs and ends.
    package var epoch: Int { core.epoch }

    /// Whether no user has signed in or out since an epoch.
    ///
    /// This and ``session(in:)`` alone compare the session's epoch after an `await`.
    package func isCurrent(_ epoch: Int) -> Bool { epoch == core.epoch }

    /// The session of an epoch.
    ///
    /// - Throws: The error of ``absence()`` if a user signed in or out since, or if nobody is signed in.
    func session(in epoch: Int) throws(AuthSessionError) -> CurrentSession {
        guard isCurrent(epoch), let current else { throw absence() }
        return current
    }

    /// Makes a change of the session, and carries out its effects.
    ///
    /// The change reads only its argument: `core` is being modified.
    func apply(_ change: (inout Session) -> [Session.Effect]) {
        for effect in core.apply(change) {
            switch effect {
            case .releaseUnsavedTokens:
                options.observe(.tokensSaved)
                unsavedTokens.releaseLock()
            case .observe(let event): options.observe(event)
            case .dropRefresh(let error): coordinator.drop(with: error)
            case .forgetFailure: coordinator.forgetFailures()
            case .hideTokens: publisher.show(nil, freshUntil: .zero)
            case .publish(let state): publish(state)
            case .notifyRestored(let user): publisher.notifyRestored(user)
            case .notifyReplaced: publisher.notifyReplaced()
            case .notifyReplacedElsewhere(let user): publisher.notifyReplacedElsewhere(by: user)
            }
        }
    }

    /// Makes a change of the session that is not published; the same holds for it as for ``apply(_:)``.
    func modify(_ change: (inout Session) -> Void) {
        apply { session in
            change(&session)
            return []
        }
    }

    func publish(_ state: SessionState) {
        if publisher.publish(state, current?.record.tokens, freshUntil: freshUntil) { reconnectIfDue() }
    }

    func showTokens() { publisher.show(current?.record.tokens, freshUntil: freshUntil) }

    /// The time until which the current tokens may be handed out without entering the actor.
    private var freshUntil: Duration {
        current.map { isReplayDue($0) ? .zero : $0.deadline.freshUntil } ?? .zero
    }

    /// Changes the store after all earlier changes, even if the caller is cancelled.
    package func write<Value: Sendable>(
        _ change: @escaping @Sendable (any SecureStore) async throws -> Value
    ) async throws -> Value {
        try await repository.write(change)
    }

    /// Returns the error for a call that needs a signed-in user, if no user is signed in.
    func absence() -> AuthSessionError {
        switch state {
        case .locked(let error): AuthSessionError(.storeUnavailable, underlying: error)
        case .signedOut(.endedByServer), .signedOut(.refreshResponseLost), .signedOut(.expired):
            core.endError ?? AuthSessionError(.sessionEnded)
        case .signedOut(.unreadableRecord(let code)):
            AuthSessionError(.notSignedIn, underlying: SessionRecordError(code))
        default: AuthSessionError(.notSignedIn)
        }
    }

    func currentSession(_ record: SessionRecord, from item: SecretBytes) -> CurrentSession {
        let now = clock.reading()
        return CurrentSession(
            record: record,
            deadline: deadline(of: record.tokens.lifetime, at: now),
            isDeadlineRead: true,
            stored: StoredItem(item: item, tokens: record.tokens),
            isRemembered: true,
            begunAt: record.refreshBegunAt.map { now.uptime(of: $0, record.refreshBegunAtBoot) },
            repeatedAt: record.repeatedAt.map { now.uptime(of: $0, record.repeatedAtBoot) }
        )
    }

    /// Returns the times at which tokens are due and expire, earlier by a part of the jitter.
    func deadline(of lifetime: TokenLifetime, at reading: ClockReading) -> TokenDeadline {
        TokenDeadline(lifetime, at: reading, window: authority.policy.refreshWindow, early: randomFraction())
    }
}
