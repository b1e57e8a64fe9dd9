// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The limits of sign-ins by network and by account.
///
/// The first limit slows an attacker with many accounts, the second an attacker with many networks. The limit of an
/// account counts each network from which the account has signed in recently by itself, and all others together, so
/// that guesses from elsewhere don't lock the user out.
final class SignInLimiter: Sendable {
    /// The key of an account's attempts that are counted together.
    private struct AccountAttempts: Hashable, Sendable {
        let account: String
        /// The known network that they come from, or nil for all unknown networks.
        let network: ClientNetwork?
    }

    private struct Counts {
        var networks: AttemptWindows<ClientNetwork>
        var accounts: AttemptWindows<AccountAttempts>
        var known: KnownNetworks

        func attempts(at account: String, from network: ClientNetwork) -> AccountAttempts {
            AccountAttempts(account: account, network: known.contains(network, of: account) ? network : nil)
        }
    }

    private let counts: Mutex<Counts>
    private let now: @Sendable () -> Date
    /// The maximum number of networks, and of accounts, that are counted at once.
    private static let capacity = 10_000
    /// The maximum number of networks known for one account: a home, an office, a telephone, and some more.
    private static let networksPerAccount = 8

    init(networks: SignInLimit, accounts: SignInLimit, now: @escaping @Sendable () -> Date) {
        counts = Mutex(
            Counts(
                networks: AttemptWindows(limit: networks, capacity: Self.capacity),
                accounts: AttemptWindows(limit: accounts, capacity: Self.capacity),
                known: KnownNetworks(accountCapacity: Self.capacity, networkCapacity: Self.networksPerAccount)
            )
        )
        self.now = now
    }

    /// Counts an attempt from a network, for any account.
    ///
    /// - Throws: ``APIFailure`` (`rate_limited`, 429, with the seconds until the window ends).
    func countAttempt(from network: ClientNetwork) throws {
        let now = now()
        try Self.refuse(for: counts.withLock { $0.networks.countAttempt(by: network, at: now) })
    }

    /// Counts a password attempt at an account, also if the account does not exist.
    ///
    /// - Throws: ``APIFailure`` (`rate_limited`, 429, with the seconds until the window ends).
    func countAttempt(at account: String, from network: ClientNetwork) throws {
        let now = now()
        let wait = counts.withLock { counts in
            let attempts = counts.attempts(at: account, from: network)
            return counts.accounts.countAttempt(by: attempts, at: now)
        }
        try Self.refuse(for: wait)
    }

    /// Records a sign-in with a correct password.
    ///
    /// Resets the count that the sign-in belongs to, because only wrong attempts add up, and remembers the network.
    func noteSignIn(to account: String, from network: ClientNetwork) {
        counts.withLock { counts in
            let attempts = counts.attempts(at: account, from: network)
            counts.accounts.forgetAttempts(by: attempts)
            counts.known.insert(network, of: account)
        }
    }

    private static func refuse(for wait: TimeInterval?) throws {
        if let wait { throw APIFailure.rateLimited(retryAfter: max(1, Int(wait.rounded(.up)))) }
    }
}
