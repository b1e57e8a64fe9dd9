/// The end of the time that one call has, for all it does, or one answer.
struct Deadline: Sendable {
    private let left: @Sendable () -> Duration
    private let wait: @Sendable () async throws -> Void

    /// Sets the end.
    ///
    /// - Parameters:
    ///   - duration: How far it is away; a century at most, since more is beyond what clocks take.
    ///   - clock: What measures it.
    init(in duration: Duration, on clock: any Clock<Duration>) {
        self = Self.make(in: min(max(.zero, duration), .seconds(3_155_760_000)), on: clock)
    }

    private init(left: @escaping @Sendable () -> Duration, wait: @escaping @Sendable () async throws -> Void) {
        self.left = left
        self.wait = wait
    }

    private static func make<C: Clock>(in duration: Duration, on clock: C) -> Deadline where C.Duration == Duration {
        let end = clock.now.advanced(by: duration)
        return Deadline(
            left: { clock.now.duration(to: end) },
            wait: { try await clock.sleep(until: end, tolerance: nil) }
        )
    }

    /// What is left of the time; zero or less where it is over.
    var remaining: Duration { left() }

    /// Runs an operation until the end, at which it is cancelled.
    ///
    /// - Parameters:
    ///   - fault: What is thrown at the end.
    ///   - operation: What ends at once when its task is cancelled.
    /// - Returns: What the operation returns.
    /// - Throws: The fault; what the operation throws; `CancellationError`.
    func limit<Value: Sendable>(
        throwing fault: any Error,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await operation() }
            group.addTask {
                try await wait()
                throw fault
            }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
