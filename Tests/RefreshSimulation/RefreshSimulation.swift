// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that runs random schedules of processes that refresh one session, and checks that every promise holds.
///
///     RefreshSimulation SEED COUNT    runs the schedules SEED, SEED + 1, ...; exits with 0 if there was no fault
///
/// On a fault it prints the seed and that schedule's history, and exits with 1.
@main
enum RefreshSimulation {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard numbers.count == 2, numbers[1] > 0 else { throw SimulationError("usage: RefreshSimulation SEED COUNT") }
        try Scheduler.takeOver()
        var (jobs, rotations, resources, kills, losses, survivable) = (0, 0, 0, 0, 0, 0)
        let start = ContinuousClock.now
        for seed in numbers[0]..<(numbers[0] + numbers[1]) {
            let outcome = Schedule(seed: seed).run()
            guard outcome.faults.isEmpty else { return report(seed) }
            jobs += outcome.jobs
            rotations += outcome.rotations
            resources += outcome.resourceRotations
            kills += outcome.kills
            losses += outcome.losses
            survivable += outcome.isSurvivable ? 1 : 0
        }
        print(
            """
            \(numbers[1]) schedules from seed \(numbers[0]), \(survivable) of them survivable: no fault
            \(jobs) jobs, \(rotations) refreshes, \(resources) of them for other APIs, \(kills) processes killed, \
            \(losses) tokens lost for good, in \(ContinuousClock.now - start)
            """
        )
    }

    /// Runs a schedule again and prints its history.
    private static func report(_ seed: UInt64) {
        let outcome = Schedule(seed: seed, isTraced: true).run()
        print("seed \(seed):")
        for line in outcome.history { print("  \(line)") }
        if outcome.faults.isEmpty { print("  no fault this time: the simulation is not deterministic") }
        exit(1)
    }
}
