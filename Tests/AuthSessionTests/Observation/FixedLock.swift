// SPDX-License-Identifier: Apache-2.0

import SecureStore

@testable import AuthSession

/// A lock that is always free, or never to be had.
struct FixedLock: ProcessLock {
    /// The error of each attempt; nil for a free lock.
    let error: SecureStoreError?
    /// What happens before each attempt succeeds or fails.
    var waiting: @Sendable () -> Void = {}

    func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result {
        waiting()
        if let error { throw error }
        return try await work()
    }
}
