// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A clock that starts at the real time and that only a test advances.
final class TestClock: Sendable {
    private let current = Mutex(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()))

    var now: Date { current.withLock { $0 } }

    func advance(by duration: Duration) {
        current.withLock { $0 = $0.addingTimeInterval(duration / .seconds(1)) }
    }
}
