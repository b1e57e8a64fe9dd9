import Synchronization

/// What all calls of a client have for retries together.
///
/// A retry takes a coin and a good answer brings a tenth of one back: against a server that answers nothing the retries
/// soon end, and every call is sent once.
final class RetryBudget: Sendable {
    private static let tenthsOfARetry = 10

    private let capacity: Int
    private let tenths: Mutex<Int>

    /// Makes a full budget.
    ///
    /// - Parameter retries: How many retries it holds.
    init(retries: Int = 10) {
        capacity = retries * Self.tenthsOfARetry
        tenths = Mutex(capacity)
    }

    /// Takes what one retry costs, where it is there.
    func take() -> Bool {
        tenths.withLock { tenths in
            guard tenths >= Self.tenthsOfARetry else { return false }
            tenths -= Self.tenthsOfARetry
            return true
        }
    }

    /// Gives back what a good answer brings.
    func giveBack() {
        tenths.withLock { $0 = min(capacity, $0 + 1) }
    }
}
