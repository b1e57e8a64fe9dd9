// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
import AuthCore
public import AuthSession
public import Logging
public import ServiceLifecycle

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A service that keeps a session's access token fresh, also if no caller asks for it.
///
/// The session refreshes, once for all tasks and processes; the service asks it as soon as the token is due. A failure
/// that does not end the session is followed by a pause: half a second to a minute, or as long as the server requests,
/// up to five minutes and a quarter more at random. A faulty network, server or store never ends the service.
///
/// If nobody is signed in, the service signs in with the function that the app gave it, unless the session was signed
/// out on purpose. Without a function it waits until the app signs in through the same session.
///
/// At a graceful shutdown, and if it is cancelled, the service waits for a refresh in progress for up to a minute, so
/// that no new token is lost, and returns.
public struct SessionRefreshService: Service {
    private let session: AuthSession
    private let logger: Logger
    private let clock: MonotonicClock
    private let signIn: (@Sendable () async throws -> Void)?

    /// The longest sleep while the token is fresh.
    ///
    /// The wall clock may be set, and a sign-in may bring a token that is due earlier.
    private static let longestSleep = 60.0
    /// The length before a failure; the pause after the first one is twice as long.
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(60)
    /// The longest wait for a refresh in progress before the service returns.
    private static let longestFlush = Duration.seconds(60)

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - session: The session to keep fresh.
    ///   - logger: The logger for failures, at level `warning`; never given a secret. Silent by default.
    ///   - clock: The clock that measures the pauses.
    ///   - signIn: The function that signs a program in, such as `signInAsClient()` of the module
    ///     `OpenIDSession`; nil if the app signs in by itself. It is called at the start if the store holds no session
    ///     of this backend, and after the session has ended. It is not called after a sign-out, here or in another
    ///     process, nor while the store is locked. It may throw, and is then called again after a pause.
    public init(
        session: AuthSession,
        logger: Logger = Logger(label: "sallyport.service", factory: { _ in SwiftLogNoOpLogHandler() }),
        clock: any Clock<Duration> = ContinuousClock(),
        signIn: (@Sendable () async throws -> Void)? = nil
    ) {
        self.session = session
        self.logger = logger
        self.clock = MonotonicClock(clock)
        self.signIn = signIn
    }

    /// Restores the session and keeps its access token fresh until a graceful shutdown or a cancellation.
    ///
    /// Never throws. After that, returns at once, or after the refresh in progress.
    @concurrent
    public func run() async {
        await cancelWhenGracefulShutdown { await keepFresh() }
        await flush()
    }

    private enum Finding {
        /// The token is not due.
        case fresh
        /// The token is due, and the session refreshes it in the background or could not; the error, if one is known.
        case due((any Error)?)
        case signedOut(SignedOutReason)
    }

    private func keepFresh() async {
        await session.restore()
        var backoff = ReconnectBackoff(first: Self.firstPause, longest: Self.longestPause)
        while !Task.isCancelled {
            let isSignedIn = session.state.isSignedIn
            let finding = await look()
            guard !Task.isCancelled else { return }
            switch finding {
            case .fresh:
                // A session that ends at once does not count as a success: it would be signed in again in a loop.
                if await sleep(for: timeUntilDue, whileSignedIn: isSignedIn) { backoff.resetFailures() }
            case .due(let error):
                note(error, in: &backoff)
                await sleep(for: nextPause(backoff), whileSignedIn: isSignedIn)
            case .signedOut(let reason):
                await awaitSignIn(after: reason, &backoff)
            }
        }
    }

    /// Asks the session for the token, and so begins a refresh if one is due.
    private func look() async -> Finding {
        do {
            _ = try await session.accessToken()
            return session.freshCredential == nil ? .due(nil) : .fresh
        } catch {
            if case .signedOut(let reason) = session.state { return .signedOut(reason) }
            return .due(error)
        }
    }

    /// Signs in, or waits until the app has.
    private func awaitSignIn(after reason: SignedOutReason, _ backoff: inout ReconnectBackoff) async {
        guard let signIn, reason.allowsSignIn else {
            for await state in session.states where state.isSignedIn { break }
            return
        }
        if backoff.failures > 0 {
            guard await sleep(for: nextPause(backoff), whileSignedIn: false) else { return }
        }
        do {
            try await signIn()
            // The next sign-in comes after a pause, unless the session has lasted in between.
            backoff.fail()
        } catch {
            guard !Task.isCancelled else { return }
            note(error, in: &backoff)
        }
    }

    /// The time until the token may be due: a second to a minute.
    ///
    /// The session has drawn its own jitter, so the service looks several times between the earliest and the latest
    /// moment.
    private var timeUntilDue: Duration {
        guard let lifetime = session.accessTokenLifetime, let expiresAt = lifetime.expiresAt else {
            return .seconds(Self.longestSleep)
        }
        let total = lifetime.issuedAt.map { expiresAt.timeIntervalSince($0) }
        let window = session.authority.refreshWindow
        let earliest = window.spans(forLifetime: total, early: 1).refreshBefore
        let latest = window.spans(forLifetime: total, early: 0).refreshBefore
        let left = expiresAt.timeIntervalSince(session.clock.date()) - earliest
        return .seconds(min(max(left, (earliest - latest) / 8, 1), Self.longestSleep))
    }

    /// Sleeps for a time, or until the session is signed in or out.
    ///
    /// - Returns: Whether the whole time has passed.
    @discardableResult
    private func sleep(for duration: Duration, whileSignedIn isSignedIn: Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await clock.sleep(until: clock.now + duration)) != nil }
            group.addTask {
                for await state in session.states where state.isSignedIn != isSignedIn { break }
                return false
            }
            let hasPassed = await group.next() ?? false
            group.cancelAll()
            return hasPassed
        }
    }

    /// Waits for a refresh in progress and for the write of its tokens, even if the service is cancelled.
    private func flush() async {
        let flushing = Task {
            try await Deadline(in: Self.longestFlush, on: clock)
                .limit(throwing: AuthSessionError(.refreshOutcomeUnknown)) { try await session.flush() }
        }
        do {
            try await flushing.value
        } catch {
            logger.warning("the newest tokens may be lost", metadata: Self.metadata(of: error))
        }
    }

    private func nextPause(_ backoff: ReconnectBackoff) -> Duration {
        backoff.next(fraction: .random(in: 0...1), at: clock.now)
    }

    private func note(_ error: (any Error)?, in backoff: inout ReconnectBackoff) {
        backoff.fail()
        backoff.noteRetryAfter((error as? AuthSessionError)?.retryAfter, at: clock.now)
        guard let error else {
            // The first time, the refresh has only just begun.
            if backoff.failures > 1 { logger.warning("the access token is due, and no new one has come yet") }
            return
        }
        logger.warning("there is no fresh access token", metadata: Self.metadata(of: error))
    }

    private static func metadata(of error: any Error) -> Logger.Metadata {
        ["error": "\((error as? AuthSessionError)?.code.description ?? "\(type(of: error))")"]
    }
}

extension SessionState {
    fileprivate var isSignedIn: Bool {
        if case .signedIn = self { true } else { false }
    }
}

extension SignedOutReason {
    /// Whether a program may sign in again by itself: not after a sign-out on purpose.
    fileprivate var allowsSignIn: Bool {
        switch self {
        case .noSession, .endedByServer, .refreshResponseLost, .expired, .unreadableRecord: true
        case .userSignedOut, .signedOutElsewhere, .appleIDRevoked: false
        }
    }
}
#endif
