// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Whether the two threads that count in one variable share a lock: true if the first argument is "locked".
let isLocked = CommandLine.arguments.dropFirst().first == "locked"
let lock = Mutex(())
let started = Atomic(0)
let ended = DispatchSemaphore(value: 0)
nonisolated(unsafe) var sum = 0

@Sendable func count() {
    // Neither thread counts before both have started, so that a busy machine does not run them one after the other.
    started.add(1, ordering: .relaxed)
    while started.load(ordering: .relaxed) < 2 {}
    if isLocked {
        // Often enough that one thread waits for the other.
        for _ in 0..<100_000 { lock.withLock { _ in sum += 1 } }
    } else {
        // Few enough that the sanitizer still remembers the other thread's access: it drops a report without both
        // stacks.
        for _ in 0..<10 { sum += 1 }
    }
}

Thread {
    count()
    ended.signal()
}.start()
count()
ended.wait()
