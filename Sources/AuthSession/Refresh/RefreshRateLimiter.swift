/// A limiter of the refreshes in a window of time, by the monotonic clock.
///
/// Without it, a server whose new tokens are refused or expired on arrival would be asked endlessly.
///
/// Confined to the session's actor.
struct RefreshRateLimiter: Sendable {
    private let count: Int
    private let window: Duration
    private var sent: [Duration] = []

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - count: The maximum number of refreshes.
    ///   - window: The length of the window.
    init(count: Int = 60, in window: Duration = .seconds(60)) {
        self.count = count
        self.window = window
    }

    /// Returns whether the limit is reached.
    ///
    /// - Parameter uptime: The current time.
    /// - Returns: True if the caller must wait.
    func isReached(at uptime: Duration) -> Bool {
        sent.count { uptime - $0 < window } >= count
    }

    /// Counts a refresh.
    ///
    /// - Parameter uptime: The current time.
    mutating func note(at uptime: Duration) {
        sent.removeAll { uptime - $0 >= window }
        sent.append(uptime)
    }
}
