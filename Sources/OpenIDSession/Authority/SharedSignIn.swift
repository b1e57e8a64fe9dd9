// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

/// A sign-in that all tasks of a session share while it is in progress.
final class SharedSignIn: Sendable {
    private let current = Mutex<Promise<Void>?>(nil)

    /// Runs a sign-in, or waits for the one in progress.
    ///
    /// The sign-in continues if a caller is cancelled.
    ///
    /// - Throws: The errors of the sign-in; `CancellationError` at once if the caller's task is cancelled.
    func run(_ signIn: @escaping @Sendable () async throws -> Void) async throws {
        let promise = Promise<Void>()
        let running = current.withLock { current in
            if let running = current { return running }
            current = promise
            return promise
        }
        if running === promise {
            Task {
                let result: Result<Void, any Error>
                do { result = .success(try await signIn()) } catch { result = .failure(error) }
                self.current.withLock { $0 = nil }
                promise.finish(result)
            }
        }
        try await running.value()
    }
}
