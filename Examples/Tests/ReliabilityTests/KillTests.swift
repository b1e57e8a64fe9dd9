// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import ReferenceBackend
import SharedTestSupport
import Testing

extension ReliabilitySuite {
    /// About half of the kills hit a refresh, the others any moment.
    ///
    /// After a replay the client doesn't replace the new tokens for the length of the window, so one session
    /// refreshes rarely. The processes therefore use several sessions in one keyring.
    @Suite("Killed processes")
    struct KillTests {
        private let isLong = TestLength.isLong

        @Test(.timeLimit(.minutes(10)))
        func `kill -9 at random moments ends no session that a replay within the grace window can save`() async throws {
            let seed = TestLength.seed
            let names = (1...(isLong ? 8 : 2)).map { "session-\($0)" }
            let kills = isLong ? 1_000 : 20
            print("\(kills) kills, SALLYPORT_SEED=\(seed)")
            let start = ContinuousClock.now
            try await ReliabilityStage.run(sessions: names) { stage in
                var tally = try await runKills(on: stage, seed: seed, budget: KillBudget(kills))
                var rounds = 1
                // A few kills may all miss the moment that the test is about.
                while stage.log.count(.repeated) == 0, rounds < 4 {
                    let other = seed &+ UInt64(rounds * stage.sessions.count)
                    tally += try await runKills(on: stage, seed: other, budget: KillBudget(kills))
                    rounds += 1
                }
                let log = stage.log
                print("\(tally.summary); \(log.summary); in \(start.duration(to: .now))")
                #expect(tally.faults.isEmpty)
                for session in stage.sessions where tally.faults.contains(where: { $0.hasPrefix(session.name) }) {
                    print("\(session.name) at the server:\n\(log.history(of: session.accountID))")
                }
                #expect(tally.kills == rounds * kills)
                // The server's log: no token was used twice, except within the window, or after an outage longer than
                // the window.
                #expect(log.count(.reused) == tally.responsesLost)
                for call in log.calls where call.outcome == .reused {
                    #expect(call.place + 1 == call.current)
                    #expect(call.sinceRotation ?? 0 > Double(ReliabilityStage.grace))
                }
                #expect(log.count(.repeated) > 0, "no kill struck between a refresh and its answer's writing")
                #expect(log.count(.expired) + log.count(.unknown) == 0)
            }
        }

        private func runKills(on stage: ReliabilityStage, seed: UInt64, budget: KillBudget) async throws -> KillTally {
            try await withThrowingTaskGroup(of: KillTally.self) { group in
                for (number, session) in stage.sessions.enumerated() {
                    let schedule = KillSchedule(
                        seed: seed &+ UInt64(number),
                        longestWait: .milliseconds(isLong ? 4_500 : 3_000),
                        // Short enough that a pause, added to the time since a killed refresh, stays within the window.
                        shortPauses: 0...(isLong ? 5_000 : 1_000),
                        // Longer than the window by at least a second, for the time until the refresh arrives.
                        longPauses: isLong ? 11_000...14_000 : nil
                    )
                    let workers = WorkerGroup(session, on: stage, for: .seconds(900))
                    group.addTask {
                        var workerKiller = WorkerKiller(
                            stage: stage,
                            workers: workers,
                            size: 4,
                            budget: budget,
                            schedule: schedule
                        )
                        return try await workerKiller.run()
                    }
                }
                return try await group.reduce(into: KillTally()) { $0 += $1 }
            }
        }
    }
}
