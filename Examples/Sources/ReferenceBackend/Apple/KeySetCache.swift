internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An issuer's key set, cached for 24 hours, and fetched again for an unknown key at most once a minute.
actor KeySetCache {
    private let fetch: @Sendable () async throws -> [String: IdentityKey]
    private let now: @Sendable () -> Date
    private var keys: [String: IdentityKey] = [:]
    private var fetched = Date.distantPast
    /// The time of the last fetch, also if it failed.
    private var asked = Date.distantPast
    private var inFlight: Task<Void, any Error>?

    private static let lifetime: TimeInterval = 86_400
    private static let leastPause: TimeInterval = 60

    static let unavailable = APIFailure(
        .serviceUnavailable,
        "identity_provider_unavailable",
        "Sign-in is not available right now. Try again."
    )

    init(
        now: @escaping @Sendable () -> Date,
        fetch: @escaping @Sendable () async throws -> [String: IdentityKey]
    ) {
        self.now = now
        self.fetch = fetch
    }

    /// Returns the key with an id.
    ///
    /// - Returns: Nil if the issuer has no such key.
    /// - Throws: ``APIFailure`` (`identity_provider_unavailable`) if there is no key set and it can't be fetched.
    func key(id: String) async throws -> IdentityKey? {
        if isFresh {
            if let key = keys[id] { return key }
            if inFlight == nil, now().timeIntervalSince(asked) < Self.leastPause { return nil }
        }
        do {
            try await refresh()
        } catch {
            guard isFresh else { throw Self.unavailable }
        }
        return keys[id]
    }

    private var isFresh: Bool { now().timeIntervalSince(fetched) < Self.lifetime }

    /// Fetches the key set once for all concurrent callers.
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
        asked = start
        keys = try await fetch()
        fetched = start
    }
}
