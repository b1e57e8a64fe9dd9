// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import Synchronization

/// 5. One refresh on the wire: sent, and sent a second time if no response came and the server repeats its response.
///
/// A server that rotates accepts the same refresh token again within a grace window of seconds, because its first
/// response may be lost. The second request is sent at once if the connection broke, and after a short wait if there is
/// no response. It is never sent once the window is over: the server would then take it for a thief's.
///
/// Each request is checked again when it has a connection, because a connection may take longer than the window. The
/// first request to have one may present the token at that time, the other only within the window. The first request is
/// not given up for the second: new tokens in either response are taken. A refusal decides only once both requests have
/// ended, because the second may be refused if the first was carried out.
struct RefreshExchange: Sendable {
    let authority: any TokenAuthority
    /// The API whose access token is requested; nil for the session's own.
    let target: TokenTarget?
    let user: SessionUser?
    let clock: SessionClock
    /// The time without a response after which the second request is sent; half of what is left of the window if that is
    /// less.
    let replayDelay: Duration
    /// The time after the token's first use for which the server repeats its response; nil if it never does.
    let replayWindow: Duration?
    /// The start of the window, by the monotonic clock, if an earlier attempt began it; nil if this exchange begins it.
    let shownAt: Duration?
    /// Whether the session is still the one to refresh, asked before the second request is sent.
    let mayReplay: @Sendable () async -> Bool
    let logger: Logger

    /// Sends the refresh, and returns its outcome, and whether it was sent a second time.
    ///
    /// A request still in progress after the decision is cancelled and not awaited: a transport that ignores
    /// cancellation would delay the new tokens. If cancelled itself, this returns the outcome so far.
    func outcome(for tokens: TokenSet) async -> (outcome: RefreshOutcome, isRepeated: Bool) {
        let (events, report) = AsyncStream.makeStream(of: Event.self)
        let permits = SendPermits(shownAt)
        let begin = clock.uptime()
        let send = { (earlier: Duration?) in
            Task {
                let isTooLate = Mutex(false)
                let outcome = await refresh(tokens) { [clock, replayWindow] in
                    guard let replayWindow else { return true }
                    let isAllowed = permits.isAllowed(at: clock.uptime(), within: replayWindow, of: earlier)
                    isTooLate.withLock { $0 = !isAllowed }
                    return isAllowed
                }
                _ = report.yield(.response(outcome, isTooLate: isTooLate.withLock { $0 }))
            }
        }
        let replayEnd = replayWindow.map { (shownAt ?? begin) + $0 }
        var running = [send(nil)]
        if let replayEnd {
            // Late in the window, the whole wait would outlast it.
            let delay = min(replayDelay, (replayEnd - begin) / 2)
            running.append(Task { _ = report.yield(await wait(delay)) })
        }
        defer { for task in running { task.cancel() } }
        var isSentAgain = false
        var pending = 1
        var last = RefreshOutcome.unknown(AuthSessionError(.refreshOutcomeUnknown))
        // A refusal decides. Otherwise the outcome of a request that may have been carried out takes precedence over
        // that of one that was not sent.
        var (refusal, unknown, doubtful) = (RefreshOutcome?.none, RefreshOutcome?.none, RefreshOutcome?.none)
        for await event in events {
            if case .response(let outcome, let isTooLate) = event {
                pending -= 1
                // A request that was too late to be sent says nothing about those before it.
                if !isTooLate { last = outcome }
                switch outcome {
                case .refreshed, .rotated, .mismatched: return (outcome, isSentAgain)
                case .refused: refusal = outcome
                case .unknown: unknown = outcome
                case .doubtful: doubtful = outcome
                case .failed: break
                }
            }
            if !isSentAgain, event.asksForReplay, let replayEnd, clock.uptime() < replayEnd, await mayReplay() {
                isSentAgain = true
                pending += 1
                logger.debug("no response to the refresh, sending it again")
                running.append(send(begin))
            }
            if pending == 0 { break }
        }
        return (refusal ?? unknown ?? doubtful ?? last, isSentAgain)
    }

    private func refresh(_ tokens: TokenSet, _ sendGuard: @escaping @Sendable () -> Bool) async -> RefreshOutcome {
        let request = target.map { ResourceRequest(target: $0, grant: .refreshToken) }
        return await authority.refresh(tokens, for: request, of: user, sendGuard: sendGuard)
    }

    /// The permission to present the token, with the time of its first use.
    private final class SendPermits: Sendable {
        private let first: Mutex<Duration?>

        init(_ first: Duration?) { self.first = Mutex(first) }

        /// Returns whether the token may be presented: the first time opens the server's window; a later one must be
        /// within it.
        ///
        /// - Parameter earlier: The start of an earlier request, which may have presented the token without this check;
        ///   nil if there is no earlier request.
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
        case response(RefreshOutcome, isTooLate: Bool)
        case silence
        case cancelled

        var asksForReplay: Bool {
            switch self {
            case .response(.unknown, _), .silence: true
            default: false
            }
        }
    }

    private func wait(_ delay: Duration) async -> Event {
        do {
            try await clock.sleep(delay)
            return .silence
        } catch {
            return .cancelled
        }
    }
}
