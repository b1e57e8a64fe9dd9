// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The proofs that were accepted, each for as long as it could be accepted again.
///
/// In memory only: several processes of one server need a shared store.
/// [RFC 9449, 11.1](https://www.rfc-editor.org/rfc/rfc9449#section-11.1).
final class DPoPReplayCache: Sendable {
    /// The outcomes of recording a proof.
    enum Outcome {
        case recorded
        case replayed
        /// The proof can't be remembered, and so must not be accepted.
        case full
    }

    private struct State {
        var current: Set<SHA256.Digest> = []
        var previous: Set<SHA256.Digest> = []
        /// The number of proofs in `current`, by key.
        var counts: [String: Int] = [:]
        /// The time since which `current` is filled.
        var started = Date.distantPast
    }

    private let state = Mutex(State())
    private let lifetime: TimeInterval
    private let capacity: Int
    private let capacityPerKey: Int

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a proof is remembered at least, in seconds. At most twice that.
    ///   - capacity: The maximum number of proofs in one lifetime.
    ///   - capacityPerKey: The maximum number of one key's, so that the holder of a token can't fill the cache for all.
    init(lifetime: TimeInterval, capacity: Int = 100_000, capacityPerKey: Int = 2_000) {
        (self.lifetime, self.capacity, self.capacityPerKey) = (lifetime, capacity, capacityPerKey)
    }

    /// Records a proof by its key and `jti`.
    func record(_ id: String, key: String, at now: Date) -> Outcome {
        let hash = SHA256.hash(data: Data("\(key) \(id)".utf8))
        return state.withLock { state in
            let elapsed = now.timeIntervalSince(state.started)
            // The clock was set back.
            if elapsed < 0 { state.started = now }
            if elapsed >= lifetime {
                state.previous = elapsed < 2 * lifetime ? state.current : []
                (state.current, state.counts) = ([], [:])
                state.started = now
            }
            guard !state.current.contains(hash), !state.previous.contains(hash) else { return .replayed }
            guard state.current.count < capacity, state.counts[key, default: 0] < capacityPerKey else { return .full }
            state.current.insert(hash)
            state.counts[key, default: 0] += 1
            return .recorded
        }
    }
}
