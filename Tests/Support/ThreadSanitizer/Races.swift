import Dispatch
import Synchronization

/// Two threads count in one variable: under one lock where the first argument is "locked", else without any.
let isLocked = CommandLine.arguments.dropFirst().first == "locked"
let lock = Mutex(())
nonisolated(unsafe) var count = 0

DispatchQueue.concurrentPerform(iterations: 2) { _ in
    for _ in 0..<100_000 {
        if isLocked { lock.withLock { _ in count += 1 } } else { count += 1 }
    }
}
