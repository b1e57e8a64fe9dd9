// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let invalid = Self(rawValue: 0)
}

@MainActor public final class UIApplication: Sendable {
    public static let shared = UIApplication()

    private nonisolated let tasks = Mutex(StandInBackgroundTasks())

    private init() {}

    public nonisolated func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.withLock { $0.begin(taskName, handler) }
    }

    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        tasks.withLock { $0.end(identifier) }
    }

    /// Starts over; the system's type has none of the members below.
    public nonisolated func standInReset(isGranted: Bool = true) {
        tasks.withLock {
            $0 = StandInBackgroundTasks()
            $0.isGranted = isGranted
        }
    }

    /// The names of the tasks that were begun.
    public nonisolated var standInNames: [String?] { tasks.withLock { $0.names } }
    /// The tasks that were ended.
    public nonisolated var standInEnded: [UIBackgroundTaskIdentifier] { tasks.withLock { $0.ended } }
    /// The number of tasks that were begun and not ended.
    public nonisolated var standInOpen: Int { tasks.withLock { $0.handlers.count } }

    /// Calls the expiration handlers of all open tasks, as the system does on the main thread.
    public func standInExpire() {
        for handler in tasks.withLock({ Array($0.handlers.values) }) { handler?() }
    }
}

/// The background tasks of the stand-in application.
private struct StandInBackgroundTasks {
    var isGranted = true
    var names: [String?] = []
    var ended: [UIBackgroundTaskIdentifier] = []
    var handlers: [UIBackgroundTaskIdentifier: (@MainActor @Sendable () -> Void)?] = [:]

    mutating func begin(
        _ name: String?,
        _ handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier {
        names.append(name)
        guard isGranted else { return .invalid }
        let identifier = UIBackgroundTaskIdentifier(rawValue: names.count)
        handlers[identifier] = .some(handler)
        return identifier
    }

    mutating func end(_ identifier: UIBackgroundTaskIdentifier) {
        ended.append(identifier)
        handlers[identifier] = nil
    }
}
