internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Limits sign-ins by network and by account.
///
/// The one limit slows a guesser with many accounts, the other a guesser with many networks.
final class SignInLimiter: Sendable {
    private struct Counts {
        var networks: AttemptWindows<ClientNetwork>
        var accounts: AttemptWindows<String>
    }

    private let counts: Mutex<Counts>
    private let now: @Sendable () -> Date
    /// The largest number of networks, and of accounts, that are counted at once.
    private static let capacity = 10_000

    init(networks: SignInLimit, accounts: SignInLimit, now: @escaping @Sendable () -> Date) {
        counts = Mutex(
            Counts(
                networks: AttemptWindows(limit: networks, capacity: Self.capacity),
                accounts: AttemptWindows(limit: accounts, capacity: Self.capacity)
            )
        )
        self.now = now
    }

    /// Counts an attempt from a network, whatever it is for.
    ///
    /// - Throws: ``APIFailure`` (`rate_limited`, 429, with the seconds until the window is over).
    func countAttempt(from network: ClientNetwork) throws {
        let now = now()
        try Self.refuse(for: counts.withLock { $0.networks.countAttempt(by: network, at: now) })
    }

    /// Counts an attempt at an account that a password protects, whether or not there is such an account.
    ///
    /// - Throws: ``APIFailure`` (`rate_limited`, 429, with the seconds until the window is over).
    func countAttempt(at account: String) throws {
        let now = now()
        try Self.refuse(for: counts.withLock { $0.accounts.countAttempt(by: account, at: now) })
    }

    /// Forgets the attempts at an account after a sign-in with the right password: only wrong ones add up.
    func forgetAttempts(at account: String) {
        counts.withLock { $0.accounts.forgetAttempts(by: account) }
    }

    private static func refuse(for wait: TimeInterval?) throws {
        if let wait { throw APIFailure.rateLimited(retryAfter: max(1, Int(wait.rounded(.up)))) }
    }
}
