/// The end of the time that one call has, for all it does, or one answer.
struct Deadline: Sendable {
    private let clock: CallClock
    private let end: Duration

    /// Sets the end.
    ///
    /// - Parameters:
    ///   - duration: How far it is away; bounded.
    ///   - clock: What measures it.
    init(in duration: Duration, on clock: CallClock) {
        self.clock = clock
        end = clock.now + duration.bounded
    }

    /// What is left of the time; zero or less where it is over.
    var remaining: Duration { end - clock.now }

    /// Runs an operation until the end, at which it is cancelled.
    ///
    /// It is not waited for any longer then, nor when the caller is cancelled: one that does not heed it goes on with
    /// nobody listening.
    ///
    /// - Parameters:
    ///   - fault: What is thrown at the end.
    ///   - operation: What is done, in a task of its own.
    /// - Returns: What the operation returns.
    /// - Throws: The fault; what the operation throws; `CancellationError`.
    func limit<Value: Sendable>(
        throwing fault: any Error,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let outcome = HandOff<Value>()
        let working = Task {
            do {
                outcome.push(try await operation())
                outcome.finish()
            } catch {
                outcome.finish(throwing: error)
            }
        }
        let waiting = Task {
            // Cancelled once the operation has ended: then there is nobody to tell.
            guard (try? await clock.sleep(until: end)) != nil else { return }
            outcome.finish(throwing: fault)
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        guard let value = try await outcome.next() else { throw CancellationError() }
        return value
    }
}
