// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of kills that are left, shared by all worker groups.
final class KillBudget: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    var isSpent: Bool { left.withLock { $0 == 0 } }

    /// Takes a number of kills; takes none and returns false if fewer are left.
    func take(_ count: Int = 1) -> Bool {
        left.withLock { left in
            guard left >= count else { return false }
            left -= count
            return true
        }
    }
}
