internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One issuer's key set, kept 24 hours and asked for again, at most once a minute, for a key it doesn't have.
actor KeySetCache {
    private let fetch: @Sendable () async throws -> [String: IdentityKey]
    private let now: @Sendable () -> Date
    private var keys: [String: IdentityKey] = [:]
    private var fetched = Date.distantPast
    /// When the set was last asked for, whether or not an answer came.
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

    /// The key with an id.
    ///
    /// - Returns: `nil` where the issuer has no such key.
    /// - Throws: ``APIFailure`` (`identity_provider_unavailable`) where there is no key set and none can be fetched.
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

    /// One fetch for everyone who waits.
    private func refresh() async throws {
        if let inFlight { return try await inFlight.value }
        let task = Task { try await fetchAndKeep() }
        inFlight = task
        try await task.value
    }

    /// Keeps the set before the task ends, so that whoever waited for it finds it.
    private func fetchAndKeep() async throws {
        defer { inFlight = nil }
        let start = now()
        asked = start
        keys = try await fetch()
        fetched = start
    }
}
