// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import TestSupport

/// The tasks of a process that uses a keyring at the same time as others.
enum KeyringStress {
    private static let tasks = 8

    /// Runs `stress-set-up ADDRESS SERVICE`: creates the two items.
    static func setUp(_ arguments: WorkerArguments) async throws {
        let store = try KeyringTasks.store(arguments, deadline: .seconds(60))
        for key in ["shared", "counter"] {
            try await store.setItem(StressValue(writer: 0, number: 0).item, forKey: StoreKey(key))
        }
    }

    /// Runs `stress-keyring ADDRESS SERVICE ID SECONDS`: writes and reads one key and counts in another, in eight
    /// tasks.
    ///
    /// Fails at the first value that is missing or mixed. Prints the totals at the end:
    /// `writes N reads N counted N refused N`.
    static func run(_ arguments: WorkerArguments) async throws {
        let (identifier, seconds) = (try arguments.number(2), try arguments.number(3))
        let store = try KeyringTasks.store(arguments, deadline: .seconds(60))
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        Output.say("ready")
        let total = try await withThrowingTaskGroup(of: Figures.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    try await work(on: store, as: UInt64(identifier * tasks + task + 1), until: end)
                }
            }
            return try await group.reduce(into: Figures()) { $0 += $1 }
        }
        Output.say(total.description)
        Output.say("done")
    }

    private static func work(
        on store: KeyringStore,
        as writer: UInt64,
        until end: ContinuousClock.Instant
    ) async throws -> Figures {
        let (shared, counter) = (try StoreKey("shared"), try StoreKey("counter"))
        var figures = Figures()
        while ContinuousClock.now < end {
            figures.writes += 1
            try await store.setItem(StressValue(writer: writer, number: UInt64(figures.writes)).item, forKey: shared)
            _ = try await value(forKey: shared, in: store)
            let counted = try await value(forKey: counter, in: store)
            figures.reads += 2
            let next = StressValue(writer: writer, number: counted.number + 1)
            if try await store.replaceItem(forKey: counter, ifEquals: counted.item, with: next.item) {
                figures.counted += 1
            } else {
                figures.refused += 1
            }
        }
        return figures
    }

    private static func value(forKey key: StoreKey, in store: KeyringStore) async throws -> StressValue {
        guard let item = try await store.item(forKey: key) else { throw WorkerError("\(key) was called absent") }
        return try StressValue(item)
    }

    private struct Figures: Sendable, CustomStringConvertible {
        var writes = 0
        var reads = 0
        var counted = 0
        var refused = 0

        var description: String { "writes \(writes) reads \(reads) counted \(counted) refused \(refused)" }

        static func += (sum: inout Figures, more: Figures) {
            sum.writes += more.writes
            sum.reads += more.reads
            sum.counted += more.counted
            sum.refused += more.refused
        }
    }
}
#endif
