// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Synchronization

/// The cached signing keys of a provider.
///
/// They are fetched on first use and after a day. They are fetched again if a token names an unknown key, or if its
/// signature doesn't match the named key: some providers give a new key the old one's name, or no name. This happens at
/// most once a minute; otherwise an attacker's tokens could make the app send requests endlessly.
/// [OpenID Connect Core 1.0, 10.1.1](https://openid.net/specs/openid-connect-core-1_0.html#RotateSigKeys).
final class RemoteJWKSet: Sendable {
    private struct Known {
        var set: JSONWebKeySet?
        var fetchedAt: Duration?
        /// The time of the last fetch that a token without a matching key caused.
        var searchedAt: Duration?
        var flight: Promise<JSONWebKeySet>?
    }

    private static let shortestPause = Duration.seconds(60)
    /// The time after which the keys are fetched again: a withdrawn key must not be trusted forever.
    private static let longestUse = Duration.seconds(86_400)

    private let known = Mutex(Known())
    private let url: EndpointURL?
    private let client: ProviderClient
    private let clock: MonotonicClock

    init(_ url: EndpointURL?, client: ProviderClient) {
        self.url = url
        self.client = client
        clock = MonotonicClock(client.settings.clock)
    }

    /// Checks that one of the keys for a token made its signature; the token is untrusted.
    ///
    /// Throws the ``IDTokenError`` of ``JSONWebKeySet/check(_:id:isAllowed:isSigner:)``, or `keysUnavailable`.
    func check(
        _ algorithm: SignatureAlgorithm,
        id: String?,
        isAllowed: (JSONWebKey) -> Bool,
        isSigner: (JSONWebKey) -> Bool
    ) async throws {
        let set = try await current()
        do {
            return try set.check(algorithm, id: id, isAllowed: isAllowed, isSigner: isSigner)
        } catch  where error.code != .ambiguousKey {
            let later = try await later(than: set)
            guard later != set else { throw error }
            try later.check(algorithm, id: id, isAllowed: isAllowed, isSigner: isSigner)
        }
    }

    private func current() async throws -> JSONWebKeySet {
        let now = clock.now
        let set = known.withLock { known in
            known.fetchedAt.map { now - $0 < Self.longestUse } ?? false ? known.set : nil
        }
        return if let set { set } else { try await fetch() }
    }

    /// Returns keys that are newer than a set without a token's key, from a new fetch or one that another token caused.
    ///
    /// Returns the same set if a token caused a fetch less than a minute ago.
    private func later(than set: JSONWebKeySet) async throws -> JSONWebKeySet {
        let now = clock.now
        let later: JSONWebKeySet? = known.withLock { known in
            if known.flight != nil { return nil }
            let isDue = known.searchedAt.map { now - $0 >= Self.shortestPause } ?? true
            guard known.set == set, isDue else { return known.set }
            // Set before the fetch, so that tokens that arrive meanwhile don't cause another one.
            known.searchedAt = now
            return nil
        }
        return if let later { later } else { try await fetch() }
    }

    /// Fetches the keys, or waits for the fetch in flight, which continues if a caller is cancelled.
    private func fetch() async throws -> JSONWebKeySet {
        let (flight, isNew) = known.withLock { known in
            if let flight = known.flight { return (flight, false) }
            let flight = Promise<JSONWebKeySet>()
            known.flight = flight
            return (flight, true)
        }
        if isNew { Task { await land(flight) } }
        return try await flight.value()
    }

    private func land(_ flight: Promise<JSONWebKeySet>) async {
        do {
            let set = try await fetched()
            let now = clock.now
            known.withLock { $0 = Known(set: set, fetchedAt: now, searchedAt: $0.searchedAt) }
            flight.finish(.success(set))
        } catch {
            known.withLock { $0.flight = nil }
            flight.finish(.failure(error))
        }
    }

    private func fetched() async throws -> JSONWebKeySet {
        guard let url else { throw IDTokenError(.keysUnavailable) }
        let response: ProviderResponse
        do {
            // RFC 7517, 8.5.2: some servers have no other type, and answer 406.
            response = try await client.get(url, accept: "application/jwk-set+json, application/json")
        } catch let error as APIError {
            throw IDTokenError(.keysUnavailable, underlying: error)
        }
        guard response.isSuccess, let set = JSONWebKeySet(response.body) else { throw IDTokenError(.keysUnavailable) }
        return set
    }
}
