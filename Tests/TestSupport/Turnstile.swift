// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A limit on the number of tests that use an expensive resource at the same time.
///
/// All tests start at once. Without a limit there would be hundreds of buses, and their replies would be late.
public final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Creates a turnstile.
    ///
    /// - Parameter places: The number of tests that may pass at the same time.
    public init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Runs a test as soon as a place is free.
    ///
    /// Never nest two calls on one turnstile: two tests could then wait for each other.
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
