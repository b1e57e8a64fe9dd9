// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A gate that is closed until it is opened once, for threads that may block.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits until the gate is open.
    ///
    /// - Returns: True if it was opened in time.
    @discardableResult func wait(_ timeout: Duration = .seconds(60)) -> Bool {
        let isOpen = semaphore.wait(timeout: .now() + .milliseconds(Int(timeout / .milliseconds(1)))) == .success
        if isOpen { semaphore.signal() }
        return isOpen
    }

    /// Waits like `wait`, without blocking a task's thread.
    func opens(within timeout: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "sallyport.gate").async { continuation.resume(returning: self.wait(timeout)) }
        }
    }
}
