// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import ReferenceBackend
import SharedTestSupport
import Testing

extension ReliabilitySuite {
    @Suite("Many processes, one session")
    struct ManyProcessesTests {
        private let processes = TestLength.isLong ? 32 : 8
        private let span = Duration.seconds(TestLength.isLong ? 120 : 10)

        /// The refreshes exceed the minimum by at most a tenth, since all processes share each refresh.
        @Test(.timeLimit(.minutes(5)))
        func `many processes share two-second tokens without reuse, sign-out or excess refreshes`() async throws {
            try await ReliabilityStage.run(sessions: ["many"]) { stage in
                let workers = WorkerGroup(stage.sessions[0], on: stage, for: span)
                try workers.start(processes)
                let ended = try await Self.endings(of: workers, count: processes)
                let (log, figures) = (stage.log, workers.figures)
                let first = try #require(log.calls.first).date
                let last = try #require(log.calls.last).date
                let least = LeastRefreshes.count(
                    from: first,
                    to: last,
                    lifetime: Double(ReliabilityStage.tokenLifetime)
                )
                print(
                    """
                    \(processes) processes, \(span): calls \(figures.calls), failed \(figures.errors), \
                    longer than a second \(figures.slowCalls), longest \(figures.longestCall) s \
                    (begun at \(figures.longestCallBegan) s); \(log.summary); least \(least) in \(log.span) s
                    """
                )
                #expect(ended == [.done: processes])
                #expect(figures.errors.isEmpty)
                #expect(figures.isSignedIn)
                // The refreshes cover the whole time, except for the lifetime of the first token and of the last.
                #expect(log.span > span / .seconds(1) - 2 * Double(ReliabilityStage.tokenLifetime))
                // The processes' responses match the server's log.
                #expect(figures.refreshes == log.calls.count)
                #expect(log.count(.rotated) == log.calls.count)
                #expect(log.calls.count <= Int((Double(least) * 1.1).rounded(.up)))
            }
        }

        /// Returns the number of processes by their last event.
        private static func endings(of workers: WorkerGroup, count: Int) async throws -> [WorkerLine.Event: Int] {
            var endings: [WorkerLine.Event: Int] = [:]
            var exited = 0
            for await event in workers.events {
                if case .reported(_, let line) = event, line.event == .done || line.event == .ended {
                    endings[line.event, default: 0] += 1
                }
                if case .exited = event { exited += 1 }
                if exited == count { break }
            }
            await workers.killAll()
            return endings
        }
    }
}
