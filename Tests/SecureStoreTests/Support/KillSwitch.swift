import AuthCore
import SecureStore
import Synchronization

/// Ends a "process" at one of its steps: from there on nothing that it tries has any effect.
///
/// The error is none of the store's, so no clean-up may be made because of it, as none is when a process is killed.
final class KillSwitch: Sendable {
    struct Killed: Error {}

    /// Whether the step itself still has its effect.
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

    /// Whether it came to that step.
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

    /// Lets work be killed at its first step, its second, and so on, until it runs to its end.
    ///
    /// - Parameter work: Makes everything anew, does the work, and checks what is left.
    /// - Returns: How many steps the work has.
    /// - Throws: What the work throws.
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

/// A store whose process can be killed; what it holds stays.
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
