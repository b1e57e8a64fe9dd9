// SPDX-License-Identifier: Apache-2.0

/// The networks from which each account has signed in most recently.
///
/// Holds a bounded number of accounts, and a bounded number of networks for each. The least recently used one is
/// replaced first. The bound for each account prevents its user from displacing the networks of other accounts.
struct KnownNetworks: Sendable {
    private let accountCapacity: Int
    private let networkCapacity: Int
    /// The networks of each account, the most recently used last.
    private var networks: [String: [ClientNetwork]] = [:]
    /// The accounts, the one with the latest sign-in last.
    private var order: [String] = []

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - accountCapacity: The maximum number of accounts.
    ///   - networkCapacity: The maximum number of networks for each account.
    init(accountCapacity: Int, networkCapacity: Int) {
        self.accountCapacity = accountCapacity
        self.networkCapacity = networkCapacity
    }

    /// The number of networks of all accounts together.
    var count: Int { networks.values.reduce(0) { $0 + $1.count } }

    /// Returns whether an account has signed in from a network recently.
    func contains(_ network: ClientNetwork, of account: String) -> Bool {
        networks[account]?.contains(network) ?? false
    }

    /// Adds the network of a sign-in.
    mutating func insert(_ network: ClientNetwork, of account: String) {
        let others = (networks[account] ?? []).filter { $0 != network }
        networks[account] = Array((others + [network]).suffix(networkCapacity))
        order.removeAll { $0 == account }
        if order.count >= accountCapacity { networks[order.removeFirst()] = nil }
        order.append(account)
    }
}
