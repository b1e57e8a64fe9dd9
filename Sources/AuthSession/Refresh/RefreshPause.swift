/// What the last refresh failed with, remembered for a short while.
///
/// Fifty callers that come one after the other, or an app that asks in a loop, then make one attempt and not fifty. The
/// pause doubles with every failure, up to half a minute, and a server that says how long to wait is heard.
///
/// Confined to the session's actor.
struct RefreshPause: Sendable {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(30)
    private static let longestAsked = Duration.seconds(300)

    private var failures = 0
    private var last: (error: AuthSessionError, until: Duration)?

    /// The failure that still counts.
    ///
    /// - Parameter uptime: Now.
    /// - Returns: The failure; nil where another attempt may be made.
    func failure(at uptime: Duration) -> AuthSessionError? {
        guard let last, uptime < last.until else { return nil }
        return last.error
    }

    /// Remembers a failure.
    ///
    /// - Parameters:
    ///   - error: What came of the refresh.
    ///   - uptime: When.
    mutating func note(_ error: AuthSessionError, at uptime: Duration) {
        let doubled = Self.first * (1 << min(failures, 5))
        let asked = min(error.retryAfter ?? .zero, Self.longestAsked)
        failures += 1
        last = (error, uptime + max(min(doubled, Self.longest), asked))
    }

    /// Forgets: a refresh succeeded, or somebody else is signed in.
    mutating func clear() {
        self = RefreshPause()
    }
}
