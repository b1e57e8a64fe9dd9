import AuthCore
import Logging

/// One refresh on the wire: sent, and sent a second time where no answer came.
///
/// A server that rotates takes the same refresh token again within a grace window of seconds, and what it answered the
/// first time may be lost. So the second one goes out at once where the connection broke, and after a short wait where
/// nothing is heard; the first is not given up for it, and the first answer that decides counts.
struct RefreshExchange: Sendable {
    let authority: any SessionAuthority
    /// How long nothing may be heard before the second one is sent.
    let replayDelay: Duration
    let logger: Logger

    func outcome(for tokens: TokenSet) async -> RefreshOutcome {
        await withTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask { .answer(await authority.refresh(tokens)) }
            group.addTask { await wait() }
            var isSentAgain = false
            var pending = 1
            var last = RefreshOutcome.unknown(AuthSessionError(.refreshOutcomeUnknown))
            for await event in group {
                if case .answer(let outcome) = event {
                    pending -= 1
                    last = outcome
                    if outcome.decides { return outcome }
                }
                if !isSentAgain, event.asksForReplay {
                    isSentAgain = true
                    pending += 1
                    logger.debug("no answer to the refresh, sending it again")
                    group.addTask { .answer(await authority.refresh(tokens)) }
                }
                if pending == 0 { return last }
            }
            return last
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
            try await Task.sleep(for: replayDelay)
            return .silence
        } catch {
            return .cancelled
        }
    }
}

extension RefreshOutcome {
    /// Whether nothing else that is under way could say more.
    fileprivate var decides: Bool {
        switch self {
        case .refreshed, .refused: true
        case .unknown, .failed: false
        }
    }
}
