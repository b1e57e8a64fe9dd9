internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Counts sign-ins by address, in windows that begin with an address's first attempt.
final class SignInLimiter: Sendable {
    private struct Window {
        let start: Date
        var attempts: Int
    }

    private let limit: SignInLimit
    private let now: @Sendable () -> Date
    private let windows = Mutex<[String: Window]>([:])
    /// Beyond this many addresses, windows that are over are forgotten.
    private let mostAddresses = 10_000

    init(limit: SignInLimit, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.now = now
    }

    /// Counts one attempt.
    ///
    /// - Throws: ``APIFailure`` (`rate_limited`, 429, with the seconds until the window is over).
    func countAttempt(from address: String) throws {
        let now = now()
        let length = limit.window.timeInterval
        let wait = windows.withLock { windows -> TimeInterval? in
            if windows.count >= mostAddresses {
                windows = windows.filter { now.timeIntervalSince($0.value.start) < length }
            }
            var window = windows[address] ?? Window(start: now, attempts: 0)
            if now.timeIntervalSince(window.start) >= length { window = Window(start: now, attempts: 0) }
            guard window.attempts < limit.attempts else { return length - now.timeIntervalSince(window.start) }
            window.attempts += 1
            windows[address] = window
            return nil
        }
        if let wait { throw APIFailure.rateLimited(retryAfter: max(1, Int(wait.rounded(.up)))) }
    }
}
