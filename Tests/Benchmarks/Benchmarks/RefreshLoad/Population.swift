import APIClient
import AuthCore
import AuthSession
import AuthTesting
import SecureStore

/// Many installs, a few at a time.
struct Population {
    struct Stuck: Error {}

    let installs: Int
    /// Of every access token, in seconds.
    let lifetime: Int
    /// How many refreshes of each install are looked at.
    let rounds: Int

    private static let batch = 1_000
    /// Longer before the end than any window reaches.
    private static let lead = 95
    private static let device = DeviceInfo(osVersion: "1", model: "PC", appVersion: "1", installationID: "1")

    /// The server's load, by refresh.
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

    /// Installs that share a clock, and nothing else.
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

    /// Asks every install for its token, second by second, until each has a new one.
    private func letAllRefresh(_ sessions: [AuthSession], by clock: TestClock) async throws {
        var waiting = sessions
        for _ in 0...lifetime where !waiting.isEmpty {
            var left: [AuthSession] = []
            for session in waiting {
                let old = session.accessTokenLifetime
                _ = try await session.accessToken()
                // What was begun beside the answer ends before the clock goes on.
                try await session.saveAgain()
                if session.accessTokenLifetime == old { left.append(session) }
            }
            waiting = left
            clock.advance(by: .seconds(1))
        }
        guard waiting.isEmpty else { throw Stuck() }
    }
}
