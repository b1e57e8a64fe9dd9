// SPDX-License-Identifier: Apache-2.0

/// The pause before a session tries again to reach its server or its store.
///
/// It doubles each time. Without jitter, all apps that lost a server at the same moment would return at the same
/// moment.
struct ReconnectBackoff: Sendable {
    /// The longest wait that a server may request.
    private static let longestRetryAfter = Duration.seconds(300)
    /// The full length of the pause before any failure.
    private static let first = Duration.seconds(2)
    /// The longest pause for a server, which may be away for hours.
    private static let longest = Duration.seconds(300)
    /// The longest pause for a store.
    ///
    /// A read shows no prompt, and the user who has just typed the password is waiting.
    private static let longestOfStore = Duration.seconds(15)

    /// The number of failed attempts since the last success.
    private var failures = 0
    private var askedUntil: Duration?

    /// Returns the next pause, for a server or for a store that can't be read.
    ///
    /// The pause is between half of its full length and all of it, by a fraction from 0 to 1. If the server requested
    /// a longer wait, it is that wait.
    func next(ofStore isStore: Bool = false, fraction: Double, at uptime: Duration) -> Duration {
        let doubled = (isStore ? Duration.seconds(1) : Self.first) * (1 << min(failures, 10))
        let fraction = min(max(fraction, 0), 1)
        let drawn = min(doubled, isStore ? Self.longestOfStore : Self.longest) * (0.5 + 0.5 * fraction)
        // The pause never ends before the server allows, and clients that got the same wait don't return at the same
        // moment.
        return isStore ? drawn : max(drawn, remainingRetryAfter(at: uptime) * (1 + 0.25 * fraction))
    }

    /// Notes the wait that a response requests, at most five minutes; nil leaves an earlier request in force.
    mutating func noteRetryAfter(_ asked: Duration?, at uptime: Duration) {
        if let asked { askedUntil = uptime + min(asked, Self.longestRetryAfter) }
    }

    /// Returns the rest of the wait that the server requested; zero if there is no wait.
    func remainingRetryAfter(at uptime: Duration) -> Duration { max((askedUntil ?? uptime) - uptime, .zero) }

    /// Starts with short pauses again after a change; the wait that the server requested stays.
    mutating func resetFailures() { failures = 0 }

    mutating func fail() { failures += 1 }
}
