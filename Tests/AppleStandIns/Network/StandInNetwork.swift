// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The network that all monitors report; the system's module has no such type.
public enum StandInNetwork {
    private struct Watcher {
        let queue: DispatchQueue
        let tell: @Sendable (NWPath) -> Void
    }

    private struct State {
        var status = NWPath.Status.satisfied
        var watchers: [Int: Watcher] = [:]
        var count = 0
    }

    private static let state = Mutex(State())

    /// The number of running monitors.
    public static var monitorCount: Int { state.withLock { $0.watchers.count } }

    /// Changes the network.
    public static func change(to status: NWPath.Status) {
        state.withLock { state in
            state.status = status
            for watcher in state.watchers.values { watcher.queue.async { watcher.tell(NWPath(status: status)) } }
        }
    }

    static func nextNumber() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    static func add(_ number: Int, _ queue: DispatchQueue, _ tell: (@Sendable (NWPath) -> Void)?) {
        guard let tell else { return }
        state.withLock { state in
            let status = state.status
            state.watchers[number] = Watcher(queue: queue, tell: tell)
            queue.async { tell(NWPath(status: status)) }
        }
    }

    static func remove(_ number: Int) {
        state.withLock { _ = $0.watchers.removeValue(forKey: number) }
    }
}
