// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The rate limit and the backoff of a session's refreshes, by the monotonic clock.
///
/// A failure is remembered for a short while: fifty callers in a row, or an app that asks in a loop, then cause one
/// attempt and not fifty. The refreshes are counted: a server whose new tokens are refused or expired on arrival would
/// otherwise be asked endlessly. Each access token has its own count and failure, so that another API does not block the
/// session's own token.
struct RefreshThrottle: Sendable {
    /// The time in which refreshes are counted.
    private static let window = Duration.seconds(60)
    /// The number of APIs that are remembered.
    private static let mostAPIs = 32

    private struct Attempts {
        var failure: (error: AuthSessionError, until: Duration)?
        var failures = 0
        var sent: [Duration] = []

        /// Returns whether neither a failure nor a refresh counts any more.
        func isOver(at uptime: Duration) -> Bool {
            !sent.contains { uptime - $0 < RefreshThrottle.window } && failure.map { uptime >= $0.until } ?? true
        }
    }

    /// The attempts for each access token; nil is the session's own.
    private var attempts: [ResourceRequest?: Attempts] = [:]

    /// Returns the failure that is still in effect; nil if another attempt may be made.
    func failure(of request: ResourceRequest?, at uptime: Duration) -> AuthSessionError? {
        guard let last = attempts[request]?.failure, uptime < last.until else { return nil }
        return last.error
    }

    /// Returns whether so many refreshes were sent that the next one must wait.
    func isLimitReached(for request: ResourceRequest?, at uptime: Duration) -> Bool {
        let sent = attempts[request]?.sent ?? []
        return sent.count { uptime - $0 < Self.window } >= (request == nil ? 60 : 10)
    }

    /// Counts a refresh.
    mutating func noteSent(for request: ResourceRequest?, at uptime: Duration) {
        change(request, at: uptime) { attempts in
            attempts.sent.removeAll { uptime - $0 >= Self.window }
            attempts.sent.append(uptime)
        }
    }

    /// Remembers a failure, and forgets it after a success.
    ///
    /// The pause doubles with every failure, up to half a minute. A longer wait that the server requests is respected,
    /// up to five minutes.
    mutating func note(_ result: Result<TokenSet, any Error>, of request: ResourceRequest?, at uptime: Duration) {
        switch result {
        case .success: forgetFailure(of: request)
        // No request was sent. If remembered, this error would still be reported after the session has ended.
        case .failure(let error as AuthSessionError) where error.code == .noRefreshToken: break
        case .failure(let error as AuthSessionError) where !error.endsSession:
            change(request, at: uptime) { attempts in
                let doubled = Duration.seconds(1 << min(attempts.failures, 5))
                let asked = min(error.retryAfter ?? .zero, .seconds(300))
                attempts.failures += 1
                attempts.failure = (error, uptime + max(min(doubled, .seconds(30)), asked))
            }
        case .failure: break
        }
    }

    /// Forgets all failures; the refreshes that were sent still count.
    mutating func forgetFailures() { for request in attempts.keys { forgetFailure(of: request) } }

    private mutating func forgetFailure(of request: ResourceRequest?) {
        attempts[request]?.failure = nil
        attempts[request]?.failures = 0
    }

    /// Changes the attempts for one token, and forgets those of other APIs that have no effect any more if there are too
    /// many; if all have, it forgets all.
    private mutating func change(_ request: ResourceRequest?, at uptime: Duration, _ change: (inout Attempts) -> Void) {
        for forgetsAll in [false, true] where attempts.count > Self.mostAPIs {
            attempts = attempts.filter { key, value in
                key == nil || key == request || !forgetsAll && !value.isOver(at: uptime)
            }
        }
        change(&attempts[request, default: Attempts()])
    }
}
