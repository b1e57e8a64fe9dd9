public import APIClient
public import AuthCore
public import Logging
import OpenIDConnect
public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Who is signed in: restores, refreshes, signs in and out, and hands out access tokens.
///
/// One session object owns one session of the store. Any number of tasks may use it. What ends a session: the person
/// signs out, or the server says so. Nothing else does.
public actor AuthSession {
    /// Where the session signs in and refreshes.
    public nonisolated let backend: SessionBackend

    let store: any SecureStore
    let authority: any SessionAuthority
    let firstParty: FirstPartyClient
    let logger: Logger
    nonisolated let clock: SessionClock
    nonisolated let snapshot = SessionSnapshot()
    let background: any BackgroundActivity
    /// From 0 to 1: which part of the jitter a token takes.
    let randomFraction: @Sendable () -> Double

    /// After how long without an answer a refresh is sent a second time, well within a server's grace window.
    let replayDelay: Duration

    /// Raised by every sign-in and sign-out: what began under an older epoch changes nothing.
    var epoch = 0
    /// How many sign-outs are clearing the store of what nobody has read.
    var clearing = 0
    /// How many sessions that the server has ended are being removed from the store.
    var ending = 0
    /// There while earlier sign-outs are being told of.
    var telling: Task<Void, Never>?
    /// Raised by what a person does: a sign-in whose answer comes after another one, or after a sign-out, is dropped.
    var personEpoch = 0
    /// How many sign-ins, here or elsewhere, have taken the place of what was held.
    var signIns = 0
    /// What a sign-out has not removed from the store yet; the next one tries again, and a sign-in takes its place.
    var unremoved: EndedSession?
    var held: HeldSession? {
        didSet {
            handedOut.note(held?.record.tokens.accessToken, epoch: epoch)
            if held?.unsaved == nil { letGoOfUnsaved() }
        }
    }
    /// The server's word that ended the last session.
    var endError: AuthSessionError?
    var handedOut = HandedOutTokens()
    var flight: RefreshFlight?
    var pause = RefreshPause()
    var limit = RefreshLimit()
    private nonisolated let broadcast = StateBroadcast()
    let options: SessionOptions
    /// There while a session that is offline or locked waits until it looks again.
    var looking: Task<Void, Never>?
    var isLooking = false
    /// Whether somebody asked to look at once while a look was under way.
    var isLookRequested = false
    /// Whether the server has been asked since the session was read or began.
    var hasAskedServer = false
    var lookPause = LookAgainPause()
    var lastHook: Task<Void, Never>?
    /// Whether the hooks have heard that the person of the state is gone, while their successor is still being written.
    var isDepartureTold = false
    private var lastWrite: Task<Void, Never>?
    /// There while an ID token that came with a refresh is being verified.
    var idTokenCheck: SharedResult<Void>?
    var idTokenFault: IDTokenError?
    /// There while tokens are in memory alone, and their write is tried again.
    var saving: Task<Void, Never>?
    /// There while the lock among processes is held for tokens that are in memory alone.
    private var unsavedHold: SharedResult<Void>?
    private var lock: ChosenLock

    /// How long a refresh waits for the lock among processes: less than a call has time, so that the call can still say
    /// what it waited for.
    let lockPatience: Duration
    static let journalAttempts = 8

    /// Makes a session.
    ///
    /// Nothing is read and nobody is asked before it is used.
    ///
    /// - Parameters:
    ///   - backend: Where to sign in and refresh.
    ///   - store: Where the session is kept.
    ///   - transport: What carries the requests; nil for the platform's.
    ///   - timeout: The longest wait for one answer of the backend.
    ///   - logger: Told what happens at level `debug`, and of writes that failed at `warning`; never a secret. Silent by
    ///     default.
    ///   - now: The wall clock: what is written down and read again at the next launch goes by it.
    ///   - clock: The monotonic clock, which nobody sets: what happens while this process lives goes by it. One that
    ///     counts while the machine sleeps, or a server's window would seem open that is long over.
    ///   - background: Keeps the system from suspending the app during a refresh; nil where it suspends nobody.
    ///   - options: What it does by itself, and whom it tells.
    public init(
        backend: SessionBackend,
        store: any SecureStore,
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.session", factory: { _ in SwiftLogNoOpLogHandler() }),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        background: (any BackgroundActivity)? = nil,
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

    /// Makes a session with what tests and simulations choose beside.
    ///
    /// - Parameters:
    ///   - backend: Where to sign in and refresh.
    ///   - store: Where the session is kept.
    ///   - transport: What carries the requests; nil for the platform's.
    ///   - timeout: The longest wait for one answer of the backend.
    ///   - logger: Told what happens.
    ///   - clock: Both clocks.
    ///   - background: Keeps the system from suspending the app; nil where it suspends nobody.
    ///   - options: What it does by itself, and whom it tells.
    ///   - replayDelay: After how long without an answer a refresh is sent a second time.
    ///   - lock: What is taken among processes.
    ///   - randomFraction: From 0 to 1: which part of the jitter a token takes.
    package init(
        backend: SessionBackend,
        store: any SecureStore,
        transport: (any Transport)?,
        timeout: Duration,
        logger: Logger,
        clock: SessionClock,
        background: (any BackgroundActivity)? = nil,
        options: SessionOptions = .still,
        replayDelay: Duration = .seconds(4),
        lock: ChosenLock = .ofTheStore,
        randomFraction: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        let backend = backend.talkedTo(over: transport, timeout: timeout, clock: clock, logger: logger)
        self.backend = backend
        self.options = options
        self.replayDelay = replayDelay
        self.store = store
        self.logger = logger
        self.clock = clock
        self.background = background ?? NoBackgroundActivity()
        self.lock = lock
        lockPatience = min(timeout, .seconds(30)) * 4 / 5
        self.randomFraction = randomFraction
        firstParty = FirstPartyClient(
            backend,
            transport: transport,
            timeout: timeout,
            clock: clock,
            logger: logger
        )
        if let provider = backend.provider {
            authority = OpenIDAuthority(provider: provider, clock: clock)
        } else if backend.contract == .sessionToken {
            authority = SessionTokenAuthority(backend: firstParty)
        } else {
            authority = TokenPairAuthority(backend: firstParty)
        }
    }

    /// Waits until no refreshed tokens are in memory alone.
    ///
    /// The store still holds the ones that they were got with: another process that refreshed these would show the
    /// server a token that is used up.
    func holdWhileUnsaved() async {
        guard held?.unsaved != nil else { return }
        let hold = unsavedHold ?? SharedResult()
        unsavedHold = hold
        // Nobody cancels the session's own task.
        _ = try? await hold.value()
    }

    private func letGoOfUnsaved() {
        unsavedHold?.finish(.success(()))
        unsavedHold = nil
    }

    /// The lock among processes; nil where the store is this process's own.
    func processLock() async -> (any ProcessLock)? {
        if case .ofTheStore = lock {
            let isShared = await store.protection != .memory
            lock = isShared ? .one(SessionLock(for: store.scope)) : .none
        }
        if case .one(let lock) = lock { return lock }
        return nil
    }

    /// How the session stands now.
    public nonisolated var state: SessionState { snapshot.state }

    /// When the access token was got and when it ends, by the wall clock; nil where nobody is signed in.
    public nonisolated var accessTokenLifetime: TokenLifetime? { snapshot.tokens?.lifetime }

    /// Whether another access token can be had once this one has ended; false also where nobody is signed in.
    public var isRenewable: Bool { held.map { authority.canRefresh($0.record.tokens) } ?? false }

    /// Whether the access token is bound to a key, and of use together with this session alone.
    ///
    /// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
    public var isBoundToKey: Bool { held?.record.tokens.proofKey != nil }

    /// Whether the session is kept beyond this process; false also where nobody is signed in.
    package var isRemembered: Bool { held?.isRemembered ?? false }

    /// How strongly the place protects that the session is kept in.
    public nonisolated var protection: StoreProtection { get async { await store.protection } }

    /// Every state from now on, beginning with the current one: no change is missed, and none is told twice.
    ///
    /// Ends when its reader does, and with the session.
    public nonisolated var states: AsyncStream<SessionState> { broadcast.states }

    /// Why the newest tokens are not in the store, where a write failed.
    ///
    /// They live on in memory. The write is tried again, with growing pauses up to a minute, with every refresh, and
    /// with ``saveAgain()``.
    public var unsaved: SecureStoreError? { held?.unsaved }

    /// What the access token was good for at the sign-in and is not any more, where the server has narrowed it.
    ///
    /// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
    public var missingScope: Scope? { held?.record.missingScope }

    /// Makes a state and what is held known, to readers of the snapshot first.
    func publish(_ state: SessionState) {
        let before = snapshot.state
        showTokens(in: state)
        guard state != before else { return }
        broadcast.send(state)
        if case .signedOut(let reason) = state, case .signedIn = before {
            if !isDepartureTold { tellSignedOut(because: reason) }
            isDepartureTold = false
        }
        lookAgainWhereDue()
    }

    /// Lets readers of the snapshot have the tokens in the hand, as long as they are fresh.
    func showTokens(in state: SessionState) {
        let freshUntil = held.map { isReplayDue($0) ? .zero : $0.deadline.freshUntil }
        snapshot.set(state, tokens: held?.record.tokens, freshUntil: freshUntil ?? .zero)
    }

    /// Whether a refresh was begun whose answer nobody got, and the server would still repeat its answer.
    func isReplayDue(_ session: HeldSession) -> Bool {
        guard authority.usesTokenUp, let begunAt = session.begunAt, let window = replayWindow else { return false }
        return clock.uptime() - begunAt < window
    }

    /// How long after a refresh the same one may be sent again: a second less than the server's window, for the way there.
    var replayWindow: Duration? { authority.graceWindow.map { $0 - .seconds(1) } }

    /// Whether a refresh was begun whose answer nobody got, and the server would not repeat it any more.
    ///
    /// The old token is then the last resort: shown again, it may look like a thief's.
    func isPastReplay(_ session: HeldSession) -> Bool {
        authority.usesTokenUp && session.begunAt != nil && !isReplayDue(session)
    }

    /// Waits for the writes to the store that were begun before.
    func earlierWrites() async {
        await lastWrite?.value
    }

    /// Begins another epoch: who waits for a refresh of the old one is told that its session is gone.
    func raiseEpoch() {
        epoch += 1
        pause.clear()
        idTokenFault = nil
        flight?.finish(.failure(AuthSessionError(.notSignedIn)))
        flight = nil
    }

    /// Changes the store after all earlier changes, whether or not the caller is still there to see it.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (any SecureStore) async throws -> Value
    ) async throws -> Value {
        let previous = lastWrite
        let store = store
        let task = Task {
            await previous?.value
            return try await change(store)
        }
        lastWrite = Task { _ = await task.result }
        return try await task.value
    }
}
