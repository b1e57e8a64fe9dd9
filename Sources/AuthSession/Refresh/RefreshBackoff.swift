/// The backoff after a failed refresh: remembers the failure for a short while.
///
/// Fifty callers in a row, or an app that asks in a loop, then cause one attempt and not fifty. The pause doubles with
/// every failure, up to half a minute. A longer wait that the server requests is respected, up to five minutes.
///
/// Confined to the session's actor.
struct RefreshBackoff: Sendable {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(30)
    private static let longestAsked = Duration.seconds(300)

    private var failures = 0
    private var last: (error: AuthSessionError, until: Duration)?

    /// Returns the failure that is still in effect.
    ///
    /// - Parameter uptime: The current time.
    /// - Returns: The failure; nil if another attempt may be made.
    func failure(at uptime: Duration) -> AuthSessionError? {
        guard let last, uptime < last.until else { return nil }
        return last.error
    }

    /// Remembers a failure.
    ///
    /// - Parameters:
    ///   - error: The error of the refresh.
    ///   - uptime: The current time.
    mutating func note(_ error: AuthSessionError, at uptime: Duration) {
        let doubled = Self.first * (1 << min(failures, 5))
        let asked = min(error.retryAfter ?? .zero, Self.longestAsked)
        failures += 1
        last = (error, uptime + max(min(doubled, Self.longest), asked))
    }

    /// Forgets the failure after a successful refresh or a change of user.
    mutating func clear() {
        self = RefreshBackoff()
    }
}
