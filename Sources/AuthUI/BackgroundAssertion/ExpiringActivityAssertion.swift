// SPDX-License-Identifier: Apache-2.0

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

    /// Runs work as an expiring activity.
    ///
    /// - Parameters:
    ///   - reason: The activity's name, for the system's log.
    ///   - work: The work, which runs exactly once.
    public func perform(_ reason: String, _ work: () async -> Void) async {
        await ExpiringActivity.perform(
            reason,
            requestedBy: { ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1) },
            work
        )
    }
}
#endif
