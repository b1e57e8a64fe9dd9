import Dispatch

/// Closed until it is opened, once and for all; for threads that may block.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits until it is open.
    ///
    /// - Returns: Whether it was opened in time.
    @discardableResult func wait(_ patience: Duration = .seconds(60)) -> Bool {
        let isOpen = semaphore.wait(timeout: .now() + .milliseconds(Int(patience / .milliseconds(1)))) == .success
        if isOpen { semaphore.signal() }
        return isOpen
    }

    /// As `wait`, for tasks: no thread of theirs is held.
    func opens(within patience: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "sallyport.gate").async { continuation.resume(returning: self.wait(patience)) }
        }
    }
}
