#if ServiceLifecycle
import AuthSession

/// The pause after a failed attempt to get a fresh token.
///
/// It doubles each time, up to a minute. Without jitter, all programs that lost a server at the same moment would return
/// at the same moment.
struct RetryPause: Sendable {
    private static let longest = Duration.seconds(60)
    /// The longest wait that a server may request.
    private static let longestAsked = Duration.seconds(300)

    /// The number of attempts since the last success.
    private(set) var failures = 0
    private var asked = Duration.zero

    /// Notes an attempt that brought no lasting token.
    ///
    /// - Parameter error: Its error, which may have the wait that the server requests; nil if there is none.
    mutating func note(_ error: (any Error)?) {
        failures += 1
        asked = min(max(.zero, (error as? AuthSessionError)?.retryAfter ?? .zero), Self.longestAsked)
    }

    /// Starts with short pauses again after a success.
    mutating func reset() { self = RetryPause() }

    /// Returns the next pause.
    ///
    /// - Parameter fraction: The part of the jitter to use, from 0 to 1.
    /// - Returns: The pause: between half of its full length and all of it, or the wait that the server requested and up
    ///   to a quarter more, if that is longer.
    func next(fraction: Double) -> Duration {
        let doubled = min(Duration.seconds(1 << min(max(0, failures - 1), 6)), Self.longest)
        return max(doubled * (0.5 + 0.5 * fraction), asked * (1 + 0.25 * fraction))
    }
}
#endif
