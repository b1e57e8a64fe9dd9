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
    /// Waits at most `limit` for the system's decision.
    static func perform(
        _ reason: String,
        waitingAtMost limit: Duration = .seconds(1),
        requestedBy request: Request,
        _ work: () async -> Void
    ) async {
        let activity = ExpiringActivity()
        request(reason) { activity.hold(isExpired: $0) }
        // Returns at once if the task is cancelled.
        let deadline = Deadline(in: limit)
        try? await deadline.limit(throwing: CancellationError()) { [begun = activity.begun] in try await begun.value() }
        await work()
        activity.ended.signal()
    }

    /// The block: blocks the system's thread until the work has ended or the time has expired.
    private func hold(isExpired: Bool) {
        begun.finish(.success(()))
        // A signal without a wait does no harm: nothing waits after the end.
        if isExpired { ended.signal() } else { ended.wait() }
    }
}

#if canImport(UIKit)
public import AuthSession
import Foundation
// On Apple systems, Foundation declares what this file uses. The tests' stand-in of this module declares it on Linux.
import UIKit

/// The request of an extension, or of an app for a watch, for background time during a refresh.
///
///     AuthSession(backend: backend, store: store, background: ExpiringActivityAssertion())
///
/// It is an expiring activity of `ProcessInfo`, which keeps one thread of the system's while the refresh runs. Where
/// there is an application, ``BackgroundTaskAssertion`` keeps no thread. A Mac suspends no process during a refresh.
public struct ExpiringActivityAssertion: BackgroundAssertion {
    /// Creates an assertion, which requests nothing before a refresh.
    public init() {}

    public func perform(_ reason: String, _ work: () async -> Void) async {
        await ExpiringActivity.perform(
            reason,
            requestedBy: { ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1) },
            work
        )
    }
}
#endif
