import Synchronization

/// What providers said of themselves a while ago, so that nobody asks twice for what hardly ever changes.
///
/// One for an app is enough. What it holds was checked when it came.
public final class DiscoveryCache: Sendable {
    private let known = Mutex<[Issuer: (metadata: ProviderMetadata, until: Duration)]>([:])
    private let lifetime: Duration
    private let uptime: @Sendable () -> Duration

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - lifetime: For how long an answer is good.
    ///   - clock: The monotonic clock that tells.
    public init(lifetime: Duration = .seconds(3_600), clock: some Clock<Duration> = ContinuousClock()) {
        self.lifetime = lifetime
        let origin = clock.now
        uptime = { origin.duration(to: clock.now) }
    }

    func metadata(of issuer: Issuer) -> ProviderMetadata? {
        let now = uptime()
        return known.withLock { $0[issuer].flatMap { $0.until > now ? $0.metadata : nil } }
    }

    func note(_ metadata: ProviderMetadata) {
        let until = uptime() + lifetime
        known.withLock { $0[metadata.issuer] = (metadata, until) }
    }
}
