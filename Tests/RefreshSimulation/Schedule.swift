// SPDX-License-Identifier: Apache-2.0

import AuthSession
import AuthTesting
import Synchronization

/// One schedule: a time with faults, a time without, and the verdict.
final class Schedule: Sendable {
    /// The outcome of a schedule.
    struct Outcome: Sendable {
        let faults: [String]
        let history: [String]
        let jobs: Int
        let rotations: Int
        let resourceRotations: Int
        let kills: Int
        let losses: Int
        let isSurvivable: Bool
    }

    private let world: World
    private let processes = Mutex<[SimulatedProcess]>([])
    private let isDone = Mutex(false)

    /// Draws a schedule.
    ///
    /// - Parameters:
    ///   - seed: The seed, which determines the whole schedule.
    ///   - isTraced: Whether the history is kept.
    init(seed: UInt64, isTraced: Bool = false) {
        world = World(seed: seed, isTraced: isTraced)
    }

    /// A number of jobs that no schedule needs unless it never ends.
    private static let jobLimit = 400_000

    /// Runs the schedule.
    ///
    /// - Returns: The outcome.
    func run() -> Outcome {
        Task { await play() }
        var jobs = 0
        var hasSlept = false
        while !isDone.withLock({ $0 }) {
            if let sleep = world.plan.sleep, !hasSlept, world.isWild, world.elapsed >= sleep.from,
                world.isResponseOutstanding
            {
                hasSlept = true
                world.note("the machine sleeps for \(sleep.span)")
                world.clock.advance(by: sleep.span)
            }
            if Scheduler.runOne(world.random) {
                jobs += 1
                if world.killByChance() { restartLater() }
                if jobs > Self.jobLimit {
                    world.history.fault("the schedule does not end")
                    break
                }
            } else if !world.clock.advanceToNextSleeper() {
                world.history.fault("a deadlock: no job is ready and no task sleeps")
                break
            }
        }
        clear()
        return Outcome(
            faults: world.history.faults,
            history: world.history.lines,
            jobs: jobs,
            rotations: world.server.rotations,
            resourceRotations: world.server.resourceRotations,
            kills: world.kills,
            losses: world.losses,
            isSurvivable: world.plan.isSurvivable
        )
    }

    /// Lets all waiting tasks end.
    private func clear() {
        world.end()
        for _ in 0..<1_000 {
            while Scheduler.runOne(world.random) {}
            guard world.clock.advanceToNextSleeper() else { return }
        }
    }

    private func play() async {
        do {
            let first = try SimulatedProcess(in: world, delegates: world.plan.delegates)
            try await first.signIn()
            world.isWild = true
            start(first)
            for _ in 1..<world.plan.processes {
                start(try SimulatedProcess(in: world, delegates: world.plan.delegates))
            }
            scheduleUserActions()
            try await world.clock.sleep(for: world.plan.length)
            world.note("the faults end")
            world.isWild = false
            var timeout = 60
            while living.contains(where: { $0.tasksLeft > 0 }), timeout > 0 {
                timeout -= 1
                try await world.clock.sleep(for: .seconds(10))
            }
            if timeout == 0 { world.history.fault("a call never ended") }
            // By now every token has expired and every grace window is over.
            try await world.clock.sleep(for: .seconds(300))
            await Verdict(world: world, processes: living).find()
        } catch {
            world.history.fault("the schedule itself failed: \(error)")
        }
        isDone.withLock { $0 = true }
    }

    private func start(_ process: SimulatedProcess) {
        processes.withLock { $0.append(process) }
        process.run()
    }

    private func restartLater() {
        let wait = world.plan.isSurvivable ? world.random.span(0...1_000) : world.random.span(0...20_000)
        Task {
            do {
                try await world.clock.sleep(for: wait)
                start(try SimulatedProcess(in: world, delegates: world.plan.delegates))
            } catch {
                world.history.fault("a process could not be restarted: \(error)")
            }
        }
    }

    /// Schedules the user's sign-out and sign-in, in any living process, the administrator's end of the session, and the
    /// jumps of the wall clock.
    private func scheduleUserActions() {
        let plan = world.plan
        at(plan.signOut) { await $0.anyProcess()?.signOut() }
        // If a sign-in fails because of the network or the store, the user would have to repeat it.
        at(plan.signIn) { try? await $0.anyProcess()?.signIn() }
        at(plan.administratorEnds) { schedule in
            schedule.world.note("an administrator ends the session at the server")
            schedule.world.server.endAll()
        }
        for step in plan.clockSteps {
            at(step.time) { schedule in
                schedule.world.note("the wall clock jumps by \(step.span)")
                schedule.world.clock.stepDate(by: step.span)
            }
        }
    }

    private func at(_ time: Duration?, _ act: @escaping @Sendable (Schedule) async -> Void) {
        guard let time else { return }
        Task {
            do {
                try await world.clock.sleep(for: time)
                if world.plan.isDuringRefresh {
                    await world.nextRefresh()
                    try await world.clock.sleep(for: world.random.span(0...700))
                }
                if world.isWild { await act(self) }
            } catch {
                world.history.fault("a test clock's sleep was cut short: \(error)")
            }
        }
    }

    private var living: [SimulatedProcess] { processes.withLock { $0.filter { !$0.life.isDead } } }

    private func anyProcess() -> SimulatedProcess? {
        let living = living
        return living.isEmpty ? nil : living[world.random.below(living.count)]
    }
}
