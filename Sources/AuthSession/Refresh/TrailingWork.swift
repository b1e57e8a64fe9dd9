// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The work that refreshes leave behind, and that no caller waits for.
///
/// Owns a result that ends with all of it. Confined to the session's actor: its methods run in the owner's isolation.
final class TrailingWork {
    private let clock: SessionClock
    /// The result that is finished once all of the work is done; nil if no work is in progress.
    private var end: Promise<Void>?

    init(_ clock: SessionClock) {
        self.clock = clock
    }

    /// Adds work, in a task that is the session's own.
    func add(_ work: @escaping @Sendable () async -> Void, for owner: isolated AuthSession) {
        let (earlier, end) = (self.end, Promise<Void>())
        self.end = end
        Task {
            await work()
            // Never throws: the earlier work can't fail, and this task, the session's own, is never cancelled.
            try? await earlier?.value()
            self.finish(end, for: owner)
        }
    }

    private func finish(_ end: Promise<Void>, for owner: isolated AuthSession) {
        if self.end === end { self.end = nil }
        end.finish(.success(()))
    }

    /// Waits for all of it.
    ///
    /// - Throws: `CancellationError` at once if the caller's task is cancelled.
    func ended() async throws { try await end?.value() }

    /// Waits for all of it, for five seconds at most.
    func finished() async {
        guard let end else { return }
        // Both throw only if the caller's task is cancelled. It then continues without the wait.
        try? await clock.waitBriefly { try? await end.value() }
    }
}
