#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs random schedules of many processes that refresh one session, and looks whether every promise holds.
///
///     RefreshSimulation SEED COUNT    the schedules SEED, SEED + 1, ...; exit 0 where all were as they should be
///
/// On a fault it prints the seed and that schedule's history, and ends with 1.
@main
enum RefreshSimulation {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard numbers.count == 2, numbers[1] > 0 else { throw SimulationError("usage: RefreshSimulation SEED COUNT") }
        try Scheduler.takeOver()
        var (jobs, rotations, kills, losses, survivable) = (0, 0, 0, 0, 0)
        let start = ContinuousClock.now
        for seed in numbers[0]..<(numbers[0] + numbers[1]) {
            let outcome = Schedule(seed: seed).run()
            guard outcome.faults.isEmpty else { return report(seed) }
            jobs += outcome.jobs
            rotations += outcome.rotations
            kills += outcome.kills
            losses += outcome.losses
            survivable += outcome.isSurvivable ? 1 : 0
        }
        print(
            """
            \(numbers[1]) schedules from seed \(numbers[0]), \(survivable) of them with nothing beyond saving: no fault
            \(jobs) jobs, \(rotations) refreshes, \(kills) processes killed, \(losses) tokens lost for good, \
            in \(ContinuousClock.now - start)
            """
        )
    }

    /// Runs a schedule once more, and prints what happens in it.
    private static func report(_ seed: UInt64) {
        let outcome = Schedule(seed: seed, isTraced: true).run()
        print("seed \(seed):")
        for line in outcome.history { print("  \(line)") }
        if outcome.faults.isEmpty { print("  no fault this time: the simulation is not deterministic") }
        exit(1)
    }
}
