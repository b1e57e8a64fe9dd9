// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Dispatch

/// An activity during which the system does not suspend the process: it lasts as long as a block of the app's blocks.
///
/// The form of `ProcessInfo.performExpiringActivity(withReason:using:)`. The system calls the block on a thread that it
/// may keep. It calls the block with true if it grants no time, and a second time, beside the first call, once the time
/// has expired.
final class ExpiringActivity: Sendable {
    /// The system's function, which calls the block.
    typealias Request = @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    private let begun = Promise<Void>()
    private let ended = DispatchSemaphore(value: 0)

    /// Runs work during an activity, exactly once, whether or not the system grants the time.
    ///
    /// - Parameters:
    ///   - reason: The purpose, for the system's log.
    ///   - limit: The longest wait for the system's decision.
    ///   - request: The system's function.
    ///   - work: The work.
    static func perform(
        _ reason: String,
        waitingAtMost limit: Duration = .seconds(1),
        requestedBy request: Request,
        _ work: () async -> Void
    ) async {
        let activity = ExpiringActivity()
        request(reason) { activity.hold(isExpired: $0) }
        await activity.decision(atMost: limit)
        await work()
        activity.end()
    }

    /// Waits until the system has granted or refused the time; returns at once if the task is cancelled.
    private func decision(atMost limit: Duration) async {
        try? await Deadline(in: limit).limit(throwing: CancellationError()) { [begun] in try await begun.value() }
    }

    /// The block: blocks the system's thread until the work has ended or the time has expired.
    private func hold(isExpired: Bool) {
        begun.finish(.success(()))
        // A signal without a wait does no harm: nothing waits after the end.
        if isExpired { end() } else { ended.wait() }
    }

    private func end() {
        ended.signal()
    }
}
