// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import LocalBackend

/// Rounds of requests that all start at once, each with a session of its own.
struct Round {
    struct WrongCounts: Error {
        let counts: Desk.Counts
        let answered: Int
    }

    let backend: LocalBackend
    let transport: CurlTransport

    init(_ backend: LocalBackend) throws {
        self.backend = backend
        transport = try CurlTransport(settings: TransportSettings())
    }

    var counts: Desk.Counts { backend.desk.counts }

    /// Returns the time of requests with a fresh token, and of one refresh.
    func fresh(_ requests: Int) async throws -> Duration {
        let session = try await backend.signedIn(over: transport)
        let clock = ContinuousClock()
        let time = try await clock.measure { try await send(requests, as: session, answered: requests) }
        try check(refreshes: 0, sends: requests...requests)
        return time + (try await clock.measure { try await session.refresh() })
    }

    /// Returns the time of requests with an expired token.
    func expired(_ requests: Int) async throws -> Duration {
        let session = try await backend.signedIn(over: transport, lifetime: 0)
        let time = try await ContinuousClock().measure { try await send(requests, as: session, answered: requests) }
        try check(refreshes: 1, sends: requests...requests)
        return time
    }

    /// Sends requests with a fresh token that the server refuses.
    ///
    /// - Parameters:
    ///   - requests: The number of requests.
    ///   - admission: The tokens that the server accepts.
    ///   - answered: The number of requests that succeed in the end.
    /// - Throws: ``WrongCounts``; the error of a request.
    func refused(_ requests: Int, _ admission: Desk.Admission, answered: Int) async throws {
        let session = try await backend.signedIn(over: transport)
        backend.desk.admit(admission)
        try await send(requests, as: session, answered: answered)
        try check(refreshes: 1, sends: requests...2 * requests)
    }

    private func send(_ requests: Int, as session: AuthSession, answered: Int) async throws {
        let client = APIClient(baseURL: backend.baseURL, authenticatedBy: session, transport: transport)
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<requests {
                group.addTask { try await client.send(.raw(.get, LocalBackend.path)).head.status == .ok }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        guard count == answered else { throw WrongCounts(counts: counts, answered: count) }
    }

    private func check(refreshes: Int, sends: ClosedRange<Int>) throws {
        guard counts.refreshes == refreshes, sends.contains(counts.sends) else {
            throw WrongCounts(counts: counts, answered: -1)
        }
    }
}
