import APIClient
import Synchronization

/// The keys of one provider, fetched when they are needed, and again when a token names one that is not among them or when
/// its signature is not of the one that it names: some providers give a new key the old one's name, or none.
///
/// Again at most once a minute, whatever tokens say: else anybody could make an app ask without end.
/// [OpenID Connect Core 1.0, 10.1.1](https://openid.net/specs/openid-connect-core-1_0.html#RotateSigKeys).
final class ProviderKeys: Sendable {
    private struct Known {
        var set: JSONWebKeySet?
        var fetchedAt: Duration?
        /// The time of the last fetch for a token whose key was not among them.
        var searchedAt: Duration?
    }

    private static let shortestPause = Duration.seconds(60)
    /// After so long they are fetched anew: a key that was taken back must not be trusted for ever.
    private static let longestUse = Duration.seconds(86_400)

    private let known = Mutex(Known())
    private let url: EndpointURL
    private let client: ProviderClient
    private let uptime: @Sendable () -> Duration

    init(_ url: EndpointURL, client: ProviderClient) {
        self.url = url
        self.client = client
        uptime = Self.uptime(of: client.settings.clock)
    }

    private static func uptime<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }

    /// The one key for a signature.
    ///
    /// - Parameters:
    ///   - algorithm: The token's.
    ///   - id: The `kid` of the token, where it has one.
    /// - Returns: The key.
    /// - Throws: ``IDTokenError`` (`keysUnavailable`, `unknownKey`, `ambiguousKey`); `CancellationError`.
    func key(for algorithm: SignatureAlgorithm, id: String?) async throws -> JSONWebKey {
        let before = known.withLock { $0 }
        let isOld = before.fetchedAt.map { uptime() - $0 >= Self.longestUse } ?? true
        let set = if let set = before.set, !isOld { set } else { try await fetch() }
        let found = set.candidates(for: algorithm, id: id)
        if !found.isEmpty { return try Self.only(found) }
        guard maySearch() else { throw IDTokenError(.unknownKey) }
        return try Self.only(try await fetch().candidates(for: algorithm, id: id))
    }

    /// Fetches the keys again after a signature that is not of the key that its token names.
    ///
    /// - Parameters:
    ///   - rejected: The key that has not made the signature.
    ///   - algorithm: The token's.
    ///   - id: The `kid` of the token, where it has one.
    /// - Returns: The key that has taken its place; nil if there is none, or the keys were fetched for a token a short time ago.
    /// - Throws: ``IDTokenError`` (`keysUnavailable`, `unknownKey`, `ambiguousKey`); `CancellationError`.
    func key(
        insteadOf rejected: JSONWebKey,
        for algorithm: SignatureAlgorithm,
        id: String?
    ) async throws -> JSONWebKey? {
        guard maySearch() else { return nil }
        let key = try Self.only(try await fetch().candidates(for: algorithm, id: id))
        return key == rejected ? nil : key
    }

    /// Whether the keys may be fetched for a token whose key is not among them: noted before anything is asked.
    private func maySearch() -> Bool {
        let now = uptime()
        return known.withLock { known in
            if let at = known.searchedAt, now - at < Self.shortestPause { return false }
            known.searchedAt = now
            return true
        }
    }

    /// A `kid` is left out by a provider that has one key; with more it can't be told which one is meant.
    private static func only(_ keys: [JSONWebKey]) throws(IDTokenError) -> JSONWebKey {
        guard let key = keys.first else { throw IDTokenError(.unknownKey) }
        guard keys.count == 1 else { throw IDTokenError(.ambiguousKey) }
        return key
    }

    private func fetch() async throws -> JSONWebKeySet {
        let answer: ProviderAnswer
        do {
            answer = try await client.get(url)
        } catch let error as APIError {
            throw IDTokenError(.keysUnavailable, underlying: error)
        }
        guard answer.isSuccess, let set = JSONWebKeySet(answer.body) else { throw IDTokenError(.keysUnavailable) }
        let now = uptime()
        known.withLock { ($0.set, $0.fetchedAt) = (set, now) }
        return set
    }
}
