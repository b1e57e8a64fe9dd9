// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The backend's clock: it runs at the real speed, ahead by the time that a test has added.
final class TestClock: Sendable {
    private let ahead = Mutex(0.0)

    var now: Date { Date().addingTimeInterval(ahead.withLock { $0 }) }

    func advance(by duration: Duration) {
        ahead.withLock { $0 += duration / .seconds(1) }
    }
}
