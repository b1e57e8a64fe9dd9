// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
import Synchronization

/// The number of calls of a function.
final class Counter: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func increment() { number.withLock { $0 += 1 } }
}
#endif
