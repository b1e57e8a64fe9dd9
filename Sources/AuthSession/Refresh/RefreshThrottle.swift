// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The rate limit and the backoff of a session's refreshes, by the monotonic clock.
///
/// Each access token has its own, so that another API does not block the session's own token.
///
/// Confined to the session's actor.
struct RefreshThrottle: Sendable {
    /// The number of APIs that are remembered.
    private static let mostAPIs = 32

    /// The attempts for each access token; nil is the session's own.
    private var attempts: [ResourceRequest?: RefreshAttempts] = [:]

    /// Returns the failure that is still in effect; nil if another attempt may be made.
    func failure(of request: ResourceRequest?, at uptime: Duration) -> AuthSessionError? {
        guard let last = attempts[request]?.failure, uptime < last.until else { return nil }
        return last.error
    }

    /// Returns whether so many refreshes were sent that the next one must wait.
    func isLimitReached(for request: ResourceRequest?, at uptime: Duration) -> Bool {
        let sent = attempts[request]?.sent ?? []
        return sent.count { uptime - $0 < RefreshAttempts.window } >= (request == nil ? 60 : 10)
    }

    /// Counts a refresh.
    mutating func noteSent(for request: ResourceRequest?, at uptime: Duration) {
        change(request, at: uptime) { $0.noteSent(at: uptime) }
    }

    /// Remembers a failure, and forgets it after a success.
    mutating func note(_ result: Result<TokenSet, any Error>, of request: ResourceRequest?, at uptime: Duration) {
        switch result {
        case .success: attempts[request]?.forgetFailure()
        // No request was sent. If remembered, this error would still be reported after the session has ended.
        case .failure(let error as AuthSessionError) where error.code == .noRefreshToken: break
        case .failure(let error as AuthSessionError) where !error.endsSession:
            change(request, at: uptime) { $0.note(error, at: uptime) }
        case .failure: break
        }
    }

    /// Forgets all failures; the refreshes that were sent still count.
    mutating func forgetFailures() {
        for request in attempts.keys { attempts[request]?.forgetFailure() }
    }

    /// Changes the attempts for one token, and forgets those of other APIs that have no effect any more if there are too
    /// many; if all have, it forgets all.
    private mutating func change(
        _ request: ResourceRequest?,
        at uptime: Duration,
        _ change: (inout RefreshAttempts) -> Void
    ) {
        func forget(where isForgotten: (RefreshAttempts) -> Bool) {
            guard attempts.count > Self.mostAPIs else { return }
            attempts = attempts.filter { $0.key == nil || $0.key == request || !isForgotten($0.value) }
        }
        forget { $0.isOver(at: uptime) }
        forget { _ in true }
        change(&attempts[request, default: RefreshAttempts()])
    }
}

/// The last failure to refresh one access token, and the refreshes that were sent for it.
///
/// A failure is remembered for a short while: fifty callers in a row, or an app that asks in a loop, then cause one
/// attempt and not fifty. The refreshes are counted: a server whose new tokens are refused or expired on arrival would
/// otherwise be asked endlessly.
private struct RefreshAttempts: Sendable {
    /// The time in which refreshes are counted.
    static let window = Duration.seconds(60)

    private(set) var failure: (error: AuthSessionError, until: Duration)?
    private(set) var sent: [Duration] = []
    private var failures = 0

    /// Remembers a failure.
    ///
    /// The pause doubles with every failure, up to half a minute. A longer wait that the server requests is respected,
    /// up to five minutes.
    mutating func note(_ error: AuthSessionError, at uptime: Duration) {
        let doubled = Duration.seconds(1 << min(failures, 5))
        let asked = min(error.retryAfter ?? .zero, .seconds(300))
        failures += 1
        failure = (error, uptime + max(min(doubled, .seconds(30)), asked))
    }

    /// Forgets the failures after a successful refresh or a change of user.
    mutating func forgetFailure() {
        (failure, failures) = (nil, 0)
    }

    /// Returns whether neither a failure nor a refresh counts any more.
    func isOver(at uptime: Duration) -> Bool {
        !sent.contains { uptime - $0 < Self.window } && failure.map { uptime >= $0.until } ?? true
    }

    /// Counts a refresh.
    mutating func noteSent(at uptime: Duration) {
        sent.removeAll { uptime - $0 >= Self.window }
        sent.append(uptime)
    }
}
