// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Synchronization

/// A switch that ends a simulated process at one of its steps, after which its actions have no effect.
///
/// The error is not one of the store's errors, so code must not clean up because of it: a killed process doesn't
/// either.
final class KillSwitch: Sendable {
    struct Killed: Error {}

    /// The moment of the kill, relative to the effect of the step.
    enum Moment: CaseIterable {
        case before
        case after
    }

    private let last: Int
    private let moment: Moment
    private let count = Mutex(0)

    init(at step: Int, _ moment: Moment) {
        (last, self.moment) = (step, moment)
    }

    /// Whether the step was reached.
    var isDead: Bool { count.withLock { $0 >= last } }

    func step<Value>(_ work: () async throws -> Value) async throws -> Value {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number < last else {
            if number == last, moment == .after { _ = try await work() }
            throw Killed()
        }
        return try await work()
    }

    /// Kills work at its first step, then at its second, and so on, until it completes.
    ///
    /// - Parameter work: Sets up everything anew, does the work, and checks the result.
    /// - Returns: The number of steps of the work.
    /// - Throws: Any error of the work.
    static func atEachStep(_ work: (KillSwitch) async throws -> Void) async throws -> Int {
        for step in 1..<100 {
            var wasReached = false
            for moment in Moment.allCases {
                let kill = KillSwitch(at: step, moment)
                try await work(kill)
                wasReached = wasReached || kill.isDead
            }
            if !wasReached { return step - 1 }
        }
        return 100
    }
}

/// A store whose process can be killed, while its items remain.
struct KillableStore: WrappingStore {
    let wrapped: any SecureStore
    let kill: KillSwitch

    func call<Value>(
        _ key: StoreKey?,
        isChange: Bool,
        _ work: (any SecureStore) async throws -> Value
    ) async throws -> Value {
        try await kill.step { try await work(wrapped) }
    }
}
