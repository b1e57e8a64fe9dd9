// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// The expiring activities, controlled by a test; the system's module has no such type.
public enum StandInActivities {
    private struct State {
        var isGranted = true
        var reasons: [String] = []
        var open: [Int: @Sendable (Bool) -> Void] = [:]
    }

    private static let state = Mutex(State())

    /// Starts over, with a system that grants activities or refuses them.
    public static func use(isGranted: Bool = true) {
        state.withLock { $0 = State(isGranted: isGranted) }
    }

    /// The reasons of all activities.
    public static var reasons: [String] { state.withLock { $0.reasons } }
    /// The number of activities whose block has not returned.
    public static var open: Int { state.withLock { $0.open.count } }

    /// Calls the blocks of all open activities a second time, as the system does before it suspends the process.
    public static func expire() {
        for block in state.withLock({ Array($0.open.values) }) { block(true) }
    }

    static func begin(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
        let (isGranted, number) = state.withLock { state in
            state.reasons.append(reason)
            if state.isGranted { state.open[state.reasons.count] = block }
            return (state.isGranted, state.reasons.count)
        }
        // On a thread that the block may keep.
        Thread.detachNewThread {
            block(!isGranted)
            state.withLock { $0.open[number] = nil }
        }
    }
}

extension ProcessInfo {
    /// Performs a block while the process is not suspended.
    ///
    /// Foundation declares it on Apple systems, but not on macOS.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        StandInActivities.begin(reason, block)
    }
}
