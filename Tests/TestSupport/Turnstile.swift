internal import Synchronization

/// Lets only so many tests at once have something that is dear.
///
/// All tests start at the same time: without this there would be hundreds of buses, their answers would come late, and
/// `Process.run()` of Foundation reads beyond a buffer, and crashes, in a process of very many open files
/// (swift-corelibs-foundation 5472).
public final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Makes a turnstile.
    ///
    /// - Parameter places: How many may be through it at once.
    public init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Runs a test once there is a place for it.
    ///
    /// Not inside another one of the same turnstile: two of these could wait for each other.
    public func pass<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let mayPass = state.withLock { state in
                guard state.free > 0 else {
                    state.waiters.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if mayPass { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
