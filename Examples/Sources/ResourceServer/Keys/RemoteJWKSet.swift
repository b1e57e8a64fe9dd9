// SPDX-License-Identifier: Apache-2.0

public import AsyncHTTPClient

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An issuer's key set, cached, and fetched again for an unknown key at most once a minute.
///
/// A fetched set replaces the cached one, so a key that the issuer withdraws is no longer accepted. If a fetch fails,
/// the cached keys are used until their lifetime ends.
public actor RemoteJWKSet {
    private let fetch: @Sendable () async throws -> Data
    private let lifetime: TimeInterval
    private let now: @Sendable () -> Date
    private var keys: [String: VerificationKey] = [:]
    private var fetched = Date.distantPast
    /// The time of the last fetch, also if it failed.
    private var attempted = Date.distantPast
    private var inFlight: Task<Void, any Error>?

    /// The least time between two fetches for unknown keys, in seconds.
    private static let rotationPause: TimeInterval = 60
    /// The least time between two fetches if there are no keys, in seconds.
    static let retryPause: TimeInterval = 5

    /// Creates a key set that is fetched with an HTTP client.
    ///
    /// - Parameters:
    ///   - jwksURI: The `jwks_uri` of the issuer's metadata, an https URL.
    ///   - insecurelyAllowHTTP: Whether an http URL is allowed, whose keys anyone on the way can replace. For tests.
    ///   - client: The client.
    ///   - lifetime: The time after which the keys are fetched again.
    ///   - now: The server's clock.
    public init(
        jwksURI: String,
        insecurelyAllowHTTP: Bool = false,
        client: HTTPClient = .shared,
        lifetime: Duration = .seconds(3_600),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        precondition(jwksURI.hasPrefix("https://") || insecurelyAllowHTTP, "The jwks_uri must be an https URL.")
        let request = JWKSetRequest(client: client, url: jwksURI)
        self.init(lifetime: lifetime, now: now) { try await request.send() }
    }

    /// Creates a key set that a closure fetches.
    ///
    /// - Parameters:
    ///   - lifetime: The time after which the keys are fetched again.
    ///   - now: The server's clock.
    ///   - fetch: Returns the set's JSON. Must limit its time.
    public init(
        lifetime: Duration = .seconds(3_600),
        now: @escaping @Sendable () -> Date = { Date() },
        fetch: @escaping @Sendable () async throws -> Data
    ) {
        self.lifetime = lifetime / .seconds(1)
        self.now = now
        self.fetch = fetch
    }

    /// Returns the key with an id.
    ///
    /// - Parameter id: The `kid` of a token. Untrusted.
    /// - Returns: Nil if the issuer has no such key.
    /// - Throws: ``AccessTokenError`` (`keysUnavailable`) if there is no key set and it can't be fetched.
    package func key(id: String) async throws -> VerificationKey? {
        if isFresh {
            if let key = keys[id] { return key }
            if inFlight == nil, isWithin(Self.rotationPause, of: attempted) { return nil }
        } else if inFlight == nil, isWithin(Self.retryPause, of: attempted) {
            throw AccessTokenError(.keysUnavailable)
        }
        do {
            try await refresh()
        } catch {
            guard isFresh else { throw AccessTokenError(.keysUnavailable) }
        }
        return keys[id]
    }

    private var isFresh: Bool { isWithin(lifetime, of: fetched) }

    /// Returns whether a time is past by less than an interval; false if the clock was set back before it.
    private func isWithin(_ interval: TimeInterval, of time: Date) -> Bool {
        let elapsed = now().timeIntervalSince(time)
        return elapsed >= 0 && elapsed < interval
    }

    /// Fetches the key set once for all concurrent callers; a caller that is cancelled doesn't cancel the fetch.
    private func refresh() async throws {
        if let inFlight { return try await inFlight.value }
        let task = Task { try await fetchAndKeep() }
        inFlight = task
        try await task.value
    }

    /// Stores the set before the task ends, so that every waiting caller finds it.
    private func fetchAndKeep() async throws {
        defer { inFlight = nil }
        let start = now()
        attempted = start
        keys = try JWKSet.signatureKeys(in: await fetch())
        fetched = start
    }
}
