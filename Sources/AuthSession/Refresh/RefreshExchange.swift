import AuthCore
import Logging
import Synchronization

/// 5. One refresh on the wire: sent, and where the server is known to repeat its answer, sent a second time when none
/// came.
///
/// A server that rotates takes the same refresh token again within a grace window of seconds, and what it answered the
/// first time may be lost. So the second one goes out at once where the connection broke, and after a short wait where
/// nothing is heard, and never once the window is over: then it would be taken for a thief's. Each is asked again when
/// it has a connection, for one may take longer than the window: whichever is the first may show the token then, the
/// other no later than the window allows. The first is not given up for the second: new tokens in either answer count,
/// and a refusal only once neither is awaited any more, for the second may be refused because the first was carried out.
struct RefreshExchange: Sendable {
    let authority: any SessionAuthority
    /// Whose tokens are refreshed, as far as it is known.
    let user: User?
    let clock: SessionClock
    /// How long nothing may be heard before the second one is sent.
    let replayDelay: Duration
    /// How long after the token was first shown the server surely repeats its answer; nil where it never does.
    let replayWindow: Duration?
    /// When an attempt or a process that is gone has shown the token, by the monotonic clock; nil where none has.
    let shownAt: Duration?
    /// Whether the session is still the one to refresh, asked before the second one is sent.
    let mayReplay: @Sendable () async -> Bool
    let logger: Logger

    /// Sends the refresh.
    ///
    /// What is still under way once it is decided is cancelled and not waited for: a transport that does not heed that
    /// would hold the new tokens back. Cancelled itself, it says what it has heard so far.
    ///
    /// - Parameter tokens: What is asked for with.
    /// - Returns: What came of it, and whether it was sent a second time.
    func outcome(for tokens: TokenSet) async -> (outcome: RefreshOutcome, isRepeated: Bool) {
        let (events, report) = AsyncStream.makeStream(of: Event.self)
        let departures = Departures(shownAt)
        let begin = clock.uptime()
        let send = { (earlier: Duration?) in
            let mayLeave: @Sendable () -> Bool = { [clock, replayWindow] in
                replayWindow.map { departures.isAllowed(at: clock.uptime(), within: $0, of: earlier) } ?? true
            }
            return Task { _ = report.yield(.answer(await authority.refresh(tokens, of: user, leavingWhile: mayLeave))) }
        }
        let replayEnd = replayWindow.map { (shownAt ?? begin) + $0 }
        var running = [send(nil)]
        if replayEnd != nil { running.append(Task { _ = report.yield(await wait()) }) }
        defer { for task in running { task.cancel() } }
        var isSentAgain = false
        var pending = 1
        var last = RefreshOutcome.unknown(AuthSessionError(.refreshOutcomeUnknown))
        // A refusal decides; else one that may have been carried out is not made undone by one that was not sent.
        var (refusal, unknown, doubtful) = (RefreshOutcome?.none, RefreshOutcome?.none, RefreshOutcome?.none)
        for await event in events {
            if case .answer(let outcome) = event {
                pending -= 1
                last = outcome
                switch outcome {
                case .refreshed, .rotated: return (outcome, isSentAgain)
                case .refused: refusal = outcome
                case .unknown: unknown = outcome
                case .failed(let error): if error.mayHaveBeenCarriedOut { doubtful = outcome }
                }
            }
            if !isSentAgain, event.asksForReplay, let replayEnd, clock.uptime() < replayEnd, await mayReplay() {
                isSentAgain = true
                pending += 1
                logger.debug("no answer to the refresh, sending it again")
                running.append(send(begin))
            }
            if pending == 0 { break }
        }
        return (refusal ?? unknown ?? doubtful ?? last, isSentAgain)
    }

    /// The moments at which a connection is there and the token about to be shown on it.
    private final class Departures: Sendable {
        private let first: Mutex<Duration?>

        init(_ first: Duration?) {
            self.first = Mutex(first)
        }

        /// Whether it may be shown: the first one opens the server's window, and no other one misses it.
        ///
        /// - Parameters:
        ///   - now: By the monotonic clock.
        ///   - window: Its length.
        ///   - earlier: Since when an earlier sending may have shown it unasked; nil where there is none.
        /// - Returns: Whether it may.
        func isAllowed(at now: Duration, within window: Duration, of earlier: Duration?) -> Bool {
            first.withLock { first in
                let since = first ?? earlier ?? now
                guard now - since < window else { return false }
                first = since
                return true
            }
        }
    }

    private enum Event: Sendable {
        case answer(RefreshOutcome)
        case silence
        case cancelled

        var asksForReplay: Bool {
            switch self {
            case .answer(.unknown), .silence: true
            default: false
            }
        }
    }

    private func wait() async -> Event {
        do {
            try await clock.sleep(replayDelay)
            return .silence
        } catch {
            return .cancelled
        }
    }
}
