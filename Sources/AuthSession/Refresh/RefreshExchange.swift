import AuthCore
import Logging

/// 5. One refresh on the wire: sent, and where the server is known to repeat its answer, sent a second time when none
/// came.
///
/// A server that rotates takes the same refresh token again within a grace window of seconds, and what it answered the
/// first time may be lost. So the second one goes out at once where the connection broke, and after a short wait where
/// nothing is heard, and never once the window is over: then it would be taken for a thief's. That is asked again when
/// there is a connection, for one may take longer than the window. The first is not given up
/// for it: new tokens in either answer count, and a refusal only once neither is awaited any more, for the second may be
/// refused because the first was carried out.
struct RefreshExchange: Sendable {
    let authority: any SessionAuthority
    let clock: SessionClock
    /// How long nothing may be heard before the second one is sent.
    let replayDelay: Duration
    /// Until when the server repeats its answer, by the monotonic clock; nil where it never does.
    let replayEnd: Duration?
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
        let isInTime: @Sendable () -> Bool = { [clock, replayEnd] in replayEnd.map { clock.uptime() < $0 } ?? true }
        let send = {
            Task { _ = report.yield(.answer(await authority.refresh(tokens, leavingWhile: isInTime))) }
        }
        var running = [send()]
        if replayEnd != nil { running.append(Task { _ = report.yield(await wait()) }) }
        defer { for task in running { task.cancel() } }
        var isSentAgain = false
        var pending = 1
        var last = RefreshOutcome.unknown(AuthSessionError(.refreshOutcomeUnknown))
        // A refusal decides; else one that may have been carried out is not made undone by one that was not sent.
        var (refusal, unknown) = (RefreshOutcome?.none, RefreshOutcome?.none)
        for await event in events {
            if case .answer(let outcome) = event {
                pending -= 1
                last = outcome
                if case .refreshed = outcome { return (outcome, isSentAgain) }
                if case .refused = outcome { refusal = outcome }
                if case .unknown = outcome { unknown = outcome }
            }
            if !isSentAgain, event.asksForReplay, replayEnd != nil, isInTime(), await mayReplay() {
                isSentAgain = true
                pending += 1
                logger.debug("no answer to the refresh, sending it again")
                running.append(send())
            }
            if pending == 0 { break }
        }
        return (refusal ?? unknown ?? last, isSentAgain)
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
