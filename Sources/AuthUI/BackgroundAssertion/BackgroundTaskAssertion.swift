// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)
public import AuthSession
public import UIKit

/// The request of an app for background time during a refresh: a background task of UIKit.
///
///     AuthSession(backend: backend, store: store, background: BackgroundTaskAssertion())
///
/// The system grants about half a minute. If it grants nothing, the refresh runs all the same. Once the time expires,
/// the task is ended, so that the system does not end the app. An extension has no application: use
/// ``ExpiringActivityAssertion`` there.
@available(iOSApplicationExtension, unavailable)
@available(tvOSApplicationExtension, unavailable)
@available(visionOSApplicationExtension, unavailable)
public struct BackgroundTaskAssertion: BackgroundAssertion {
    private let application: UIApplication

    /// Creates an assertion, which requests nothing before a refresh.
    ///
    /// - Parameter application: The app.
    @MainActor
    public init(_ application: UIApplication = .shared) {
        self.application = application
    }

    /// Runs work as a background task.
    ///
    /// - Parameters:
    ///   - reason: The task's name, for the system's log.
    ///   - work: The work, which runs exactly once.
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
