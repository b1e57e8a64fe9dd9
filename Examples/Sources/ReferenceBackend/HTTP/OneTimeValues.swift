// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Values that wait to be taken, each once and within a lifetime, by a random key.
///
/// In memory only. Holds a bounded number of values: a new one then replaces the oldest. Keys are kept as hashes, so a
/// lookup's duration says nothing about a key.
final class OneTimeValues<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let expires: Date
    }

    private struct State {
        var entries: [SHA256.Digest: Entry] = [:]
        /// The hashes of all keys, the oldest first.
        var order: [SHA256.Digest] = []
    }

    private let state = Mutex(State())
    private let lifetime: Duration
    private let capacity: Int
    private let now: @Sendable () -> Date

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - lifetime: The time in which a value can be taken.
    ///   - capacity: The maximum number of values.
    ///   - now: The server's clock.
    init(lifetime: Duration, capacity: Int = 10_000, now: @escaping @Sendable () -> Date) {
        self.lifetime = lifetime
        self.capacity = capacity
        self.now = now
    }

    /// Adds a value.
    ///
    /// - Returns: Its key: 32 random bytes as base64url. Secret.
    func key(for value: Value) -> String {
        let now = now()
        let key = Data(randomByteCount: 32).base64URL
        let hash = Self.hash(key)
        let entry = Entry(value: value, expires: now.addingTimeInterval(lifetime.timeInterval))
        state.withLock { state in
            // The oldest expire first, unless the clock was set.
            let over = state.order.prefix { hash in state.entries[hash].map { $0.expires <= now } ?? true }.count
            let excess = max(over, state.order.count + 1 - capacity)
            if excess > 0 {
                for old in state.order.prefix(excess) { state.entries[old] = nil }
                state.order.removeFirst(excess)
            }
            state.entries[hash] = entry
            state.order.append(hash)
        }
        return key
    }

    /// Takes a value, which can't be taken again, even if the caller then refuses it.
    ///
    /// - Parameter key: The key. Untrusted.
    /// - Returns: Nil if there is no such value any more.
    func take(_ key: String) -> Value? {
        let now = now()
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: Self.hash(key)) }), entry.expires > now
        else { return nil }
        return entry.value
    }

    /// Takes a value if it matches, and leaves it otherwise.
    ///
    /// - Parameters:
    ///   - key: The key. Untrusted.
    ///   - matches: Returns whether the caller may have the value. A value for which it throws stays too.
    /// - Returns: Nil if there is no such value any more, or it doesn't match.
    func take(_ key: String, if matches: (Value) throws -> Bool) rethrows -> Value? {
        let now = now()
        let hash = Self.hash(key)
        // Matched outside the lock, because a key's value never changes. Of two matching callers, one removes it.
        guard let entry = state.withLock({ $0.entries[hash] }), entry.expires > now, try matches(entry.value),
            state.withLock({ $0.entries.removeValue(forKey: hash) }) != nil
        else { return nil }
        return entry.value
    }

    private static func hash(_ key: String) -> SHA256.Digest { SHA256.hash(data: Data(key.utf8)) }
}
