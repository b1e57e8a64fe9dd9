// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One background task of the system, which is ended exactly once.
///
/// The system ends an app whose task is still open after its expiration handler. The handler runs on another thread
/// than the work, perhaps before the task's identifier is known.
final class BackgroundTask<Identifier: Sendable>: Sendable {
    private let state = Mutex((open: Identifier?.none, hasEnded: false))
    private let end: @Sendable (Identifier) -> Void

    init(end: @escaping @Sendable (Identifier) -> Void) {
        self.end = end
    }

    /// Records the identifier of the task, and ends it if it has expired already.
    func begin(as identifier: Identifier) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.open = identifier }
            return state.hasEnded
        }
        if hasEnded { end(identifier) }
    }

    /// Ends the task if it is open: at the end of the work, or in the expiration handler.
    func finish() {
        let identifier = state.withLock { state in
            state.hasEnded = true
            return state.open.take()
        }
        if let identifier { end(identifier) }
    }
}

#if canImport(UIKit) && !os(watchOS)
public import AuthSession
public import UIKit

/// The request of an app for background time during a refresh: a background task of UIKit.
///
///     AuthSession(backend: backend, store: store, background: BackgroundTaskAssertion())
///
/// The system grants about half a minute. If it grants nothing, the refresh runs all the same. An extension has no
/// application: use ``ExpiringActivityAssertion`` there.
@available(iOSApplicationExtension, unavailable)
@available(tvOSApplicationExtension, unavailable)
@available(visionOSApplicationExtension, unavailable)
public struct BackgroundTaskAssertion: BackgroundAssertion {
    private let application: UIApplication

    /// Creates an assertion, which requests nothing before a refresh.
    @MainActor
    public init(_ application: UIApplication = .shared) {
        self.application = application
    }

    public func perform(_ reason: String, _ work: () async -> Void) async {
        let task = BackgroundTask<UIBackgroundTaskIdentifier> { [application] identifier in
            application.endBackgroundTask(identifier)
        }
        let identifier = application.beginBackgroundTask(withName: reason) { task.finish() }
        // The system grants no time; there is no task to end.
        if identifier != .invalid { task.begin(as: identifier) }
        await work()
        task.finish()
    }
}
#endif
