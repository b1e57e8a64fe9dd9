/// How many refreshes may be sent in a window of time, by the monotonic clock.
///
/// A server whose new tokens are refused, or have ended when they come, would otherwise be asked without end.
///
/// Confined to the session's actor.
struct RefreshLimit: Sendable {
    private let count: Int
    private let window: Duration
    private var sent: [Duration] = []

    /// Sets a limit.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - window: In how long.
    init(count: Int = 60, in window: Duration = .seconds(60)) {
        self.count = count
        self.window = window
    }

    /// Whether no more may be sent now.
    ///
    /// - Parameter uptime: Now.
    /// - Returns: True where it is to wait.
    func isReached(at uptime: Duration) -> Bool {
        sent.count { uptime - $0 < window } >= count
    }

    /// Counts one that is sent.
    ///
    /// - Parameter uptime: Now.
    mutating func note(at uptime: Duration) {
        sent.removeAll { uptime - $0 >= window }
        sent.append(uptime)
    }
}
