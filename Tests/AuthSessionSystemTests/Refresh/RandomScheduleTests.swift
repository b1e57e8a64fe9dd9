// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Random schedules of several processes, on one thread, each decided by its seed (`Tests/RefreshSimulation`).
///
/// `Tests/run --long` runs a hundred thousand of them.
@Suite struct RandomScheduleTests {
    @Test func `all guarantees hold in random schedules of processes, tasks, faults and crashes`() async throws {
        let output = try await Self.run(seed: 1, count: 100)
        #expect(output.exitCode == 0, "\(output.text.suffix(4_000))")
        #expect(output.text.contains("no fault"))
    }

    /// Seeds that once showed a fault in the protocol or in the verdict on it.
    @Test(arguments: [60, 3_355, 39_170]) func `a seed that once showed a fault shows no fault`(seed: Int) async throws
    {
        let output = try await Self.run(seed: seed, count: 1)
        #expect(output.exitCode == 0, "\(output.text.suffix(4_000))")
    }

    @Test func `a seed reproduces the same schedule`() async throws {
        let figures = try await [Self.run(seed: 7, count: 20), Self.run(seed: 7, count: 20)].map(\.text)
        let jobs = try figures.map { try #require($0.firstMatch(of: /([0-9]+) jobs, ([0-9]+) refreshes/)).output.0 }
        #expect(jobs[0] == jobs[1])
    }

    private static func run(seed: Int, count: Int) async throws -> Command.Output {
        let program = try Executable.besideTests("RefreshSimulation")
        return try await Command(program.path, ["\(seed)", "\(count)"]).run(timeout: .seconds(300))
    }
}
