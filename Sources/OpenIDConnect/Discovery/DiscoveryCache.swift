// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

/// A cache of provider metadata, which rarely changes.
///
/// One cache for an app is enough. Its entries were checked when they were received.
public final class DiscoveryCache: Sendable {
    private let known = Mutex<[Issuer: (metadata: ProviderMetadata, until: Duration)]>([:])
    private let lifetime: Duration
    private let clock: MonotonicClock

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which an entry is used.
    ///   - clock: The monotonic clock that measures the lifetime.
    public init(lifetime: Duration = .seconds(3_600), clock: some Clock<Duration> = ContinuousClock()) {
        self.lifetime = lifetime
        self.clock = MonotonicClock(clock)
    }

    func metadata(of issuer: Issuer) -> ProviderMetadata? {
        let now = clock.now
        return known.withLock { $0[issuer].flatMap { $0.until > now ? $0.metadata : nil } }
    }

    func note(_ metadata: ProviderMetadata, of issuer: Issuer) {
        let until = clock.now + lifetime
        known.withLock { $0[issuer] = (metadata, until) }
    }
}
