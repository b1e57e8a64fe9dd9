// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The budget that all calls of a client share for retries.
///
/// A retry costs one unit, and a good response restores a tenth of a unit. If a server stops responding, the budget is
/// soon used up, and every call is sent once.
final class RetryBudget: Sendable {
    private static let tenthsOfARetry = 10

    private let capacity: Int
    private let tenths: Mutex<Int>

    /// Creates a full budget.
    ///
    /// - Parameter retries: The number of retries in it.
    init(retries: Int = 10) {
        capacity = retries * Self.tenthsOfARetry
        tenths = Mutex(capacity)
    }

    /// Takes the cost of one retry, and returns whether there was enough.
    func take() -> Bool {
        tenths.withLock { tenths in
            guard tenths >= Self.tenthsOfARetry else { return false }
            tenths -= Self.tenthsOfARetry
            return true
        }
    }

    /// Restores the share of one good response.
    func refund() {
        tenths.withLock { $0 = min(capacity, $0 + 1) }
    }
}
