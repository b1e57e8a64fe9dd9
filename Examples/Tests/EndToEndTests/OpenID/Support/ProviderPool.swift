import Synchronization

/// A few misbehaving providers: each has one fault at a time, and so serves one test at a time.
///
/// They stay for the next test, and end with the process of these tests.
final class ProviderPool: Sendable {
    static let shared = ProviderPool(places: 4)

    private struct State {
        var free: Int
        var idle: [MisbehavingProvider] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Runs a test with a provider of its own, which does all right at first.
    func with<Value>(_ test: (MisbehavingProvider) async throws -> Value) async throws -> Value {
        await enter()
        defer { leave() }
        let provider = try await provider()
        defer { state.withLock { $0.idle.append(provider) } }
        return try await test(provider)
    }

    private func provider() async throws -> MisbehavingProvider {
        let idle = state.withLock { $0.idle.popLast() }
        let provider = if let idle { idle } else { try await MisbehavingProvider.start() }
        do {
            try await provider.behave()
        } catch {
            await provider.end()
            throw error
        }
        return provider
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
