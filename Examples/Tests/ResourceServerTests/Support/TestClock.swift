// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A clock that only a test advances.
final class TestClock: Sendable {
    private let current = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { current.withLock { $0 } }
    var seconds: Int { Int(now.timeIntervalSince1970) }

    func advance(by seconds: Double) { current.withLock { $0 = $0.addingTimeInterval(seconds) } }
}
