// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import AuthSession

/// An observer that keeps the events that it receives.
final class EventRecorder: SessionObserver {
    private let received = Mutex<[SessionEvent]>([])

    var events: [SessionEvent] { received.withLock { $0 } }

    /// The refreshes that have ended.
    var refreshes: [SessionEvent.Refresh] {
        events.compactMap { event in
            if case .refreshEnded(let refresh) = event { refresh } else { nil }
        }
    }

    /// The options of a session that this observes.
    var options: SessionOptions {
        var options = SessionOptions.still
        options.observers = [self]
        return options
    }

    func observe(_ event: SessionEvent) {
        received.withLock { $0.append(event) }
    }

    /// Forgets the events so far.
    func forget() {
        received.withLock { $0 = [] }
    }
}
