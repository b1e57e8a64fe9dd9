// SPDX-License-Identifier: Apache-2.0

import AuthCore
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
struct KillableStore: SecureStore {
    let base: any SecureStore
    let kill: KillSwitch

    var scope: StoreScope { base.scope }
    var protection: StoreProtection { .memory }

    func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await kill.step { try await base.item(forKey: key, interaction: interaction) }
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await kill.step { try await base.setItem(item, forKey: key, interaction: interaction) }
    }

    func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await kill.step { try await base.removeItem(forKey: key, interaction: interaction) }
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await kill.step {
            try await base.replaceItem(forKey: key, ifEquals: expected, with: item, interaction: interaction)
        }
    }

    func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await kill.step { try await base.removeItem(forKey: key, ifEquals: expected, interaction: interaction) }
    }

    func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await kill.step { try await base.keys(interaction: interaction) }
    }

    func removeAll(interaction: InteractionPolicy) async throws {
        try await kill.step { try await base.removeAll(interaction: interaction) }
    }
}
