// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import SecureStore

/// Many installs, simulated in batches.
struct Population {
    struct Stuck: Error {}

    let installs: Int
    /// The lifetime of every access token, in seconds.
    let lifetime: Int
    /// The number of refreshes of each install.
    let rounds: Int

    private static let batch = 1_000
    /// A time before the end that is longer than any refresh window.
    private static let lead = 95
    private static let device = DeviceInfo(osVersion: "1", model: "PC", appVersion: "1", installationID: "1")

    /// Returns the server's load, by refresh.
    func loads() async throws -> [LoadCurve] {
        try await withThrowingTaskGroup(of: [LoadCurve].self) { group in
            var loads = [LoadCurve](repeating: LoadCurve(), count: rounds)
            for index in 0..<(installs / Self.batch) {
                if index >= 2, let done = try await group.next() { Self.add(done, to: &loads) }
                group.addTask { try await batchLoads() }
            }
            for try await done in group { Self.add(done, to: &loads) }
            return loads
        }
    }

    private static func add(_ done: [LoadCurve], to loads: inout [LoadCurve]) {
        for (round, load) in done.enumerated() { loads[round].add(load) }
    }

    /// Returns the load of one batch: installs that share only a clock and a server.
    private func batchLoads() async throws -> [LoadCurve] {
        let clock = TestClock()
        let server = TallyingServer(lifetime: lifetime, clock: clock)
        let backend = SessionBackend.firstParty(baseURL: try BaseURL("https://api.example.com"), contract: .tokenPair)
        var sessions: [AuthSession] = []
        for _ in 0..<Self.batch {
            let session = AuthSession(
                backend: backend,
                store: MemoryStore(),
                transport: server,
                now: { clock.date },
                clock: clock
            )
            try await session.signIn(email: "ada@example.com", password: Password("x"), device: Self.device)
            sessions.append(session)
        }
        var loads: [LoadCurve] = []
        for round in 1...rounds {
            let start = round * (lifetime - Self.lead)
            clock.advance(by: .seconds(start - server.second))
            try await letAllRefresh(sessions, by: clock)
            loads.append(server.take())
        }
        return loads
    }

    /// Requests the token of every install, second by second, until each has a new one.
    private func letAllRefresh(_ sessions: [AuthSession], by clock: TestClock) async throws {
        var waiting = sessions
        for _ in 0...lifetime where !waiting.isEmpty {
            var left: [AuthSession] = []
            for session in waiting {
                let old = session.accessTokenLifetime
                _ = try await session.accessToken()
                // A refresh in the background ends before the clock advances.
                try await session.flush()
                if session.accessTokenLifetime == old { left.append(session) }
            }
            waiting = left
            clock.advance(by: .seconds(1))
        }
        guard waiting.isEmpty else { throw Stuck() }
    }
}
