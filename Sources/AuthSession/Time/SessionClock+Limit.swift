// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

extension SessionClock {
    /// Waits for work for at most five seconds by the monotonic clock, then cancels the work.
    ///
    /// - Parameter work: The work.
    /// - Throws: `CancellationError` at once if the caller's task is cancelled; the work is then cancelled too.
    func waitBriefly(for work: @escaping @Sendable () async -> Void) async throws {
        let end = Promise<Void>()
        let working = Task {
            await work()
            end.finish(.success(()))
        }
        let limit = Task { [sleep] in
            try await sleep(.seconds(5))
            end.finish(.success(()))
        }
        defer {
            working.cancel()
            limit.cancel()
        }
        try await end.value()
    }

    /// Performs work for at most five seconds.
    ///
    /// - Parameter work: The work, which is cancelled at the limit and if the caller is cancelled.
    /// - Returns: Its result; nil if it did not end in time.
    package func briefly<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error>? {
        let result = Mutex<Result<Value, any Error>?>(nil)
        try? await waitBriefly {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        return result.withLock { $0 }
    }
}
