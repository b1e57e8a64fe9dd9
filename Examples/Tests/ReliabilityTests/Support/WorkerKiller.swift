// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import SharedTestSupport

/// A loop that kills and replaces the processes of one session, and observes whether the session survives.
struct WorkerKiller {
    /// An outage: all processes were killed at once, and the reports of their replacements are awaited.
    private struct Outage {
        let isLong: Bool
        let giveUp: ContinuousClock.Instant
        /// The sign-out reasons of the processes that have ended.
        var reasons: [String] = []
    }

    private static let timeout = Duration.seconds(60)

    let stage: ReliabilityStage
    let workers: WorkerGroup
    let size: Int
    let budget: KillBudget
    private var schedule: KillSchedule
    private var tally = KillTally()
    private var outage: Outage?

    init(stage: ReliabilityStage, workers: WorkerGroup, size: Int, budget: KillBudget, schedule: KillSchedule) {
        self.stage = stage
        self.workers = workers
        self.size = size
        self.budget = budget
        self.schedule = schedule
    }

    /// Kills processes until no kills are left and the session has been confirmed.
    ///
    /// - Returns: The kills and their consequences.
    /// - Throws: ``ReliabilityError``; the system's error if a process can't be started.
    mutating func run() async throws -> KillTally {
        do {
            try await killLoop()
        } catch {
            await workers.killAll()
            throw error
        }
        await workers.killAll()
        return tally
    }

    private mutating func killLoop() async throws {
        try workers.start(size)
        workers.tick(after: schedule.wait())
        var lastWorker: Int?
        var giveUp = ContinuousClock.now.advanced(by: Self.timeout)
        for await event in workers.events {
            if case .tick = event { workers.tick(after: lastWorker == nil ? schedule.wait() : .seconds(1)) }
            if lastWorker != nil {
                if isFinalReport(event, of: lastWorker) { break }
                if ContinuousClock.now > giveUp {
                    fault("no call was answered after the last kill")
                    break
                }
            } else if outage != nil {
                try await awaitEndOfOutage(event)
            } else if budget.isSpent {
                // The last process opens the session in the state that the kills have left.
                lastWorker = try workers.start()
                giveUp = ContinuousClock.now.advanced(by: Self.timeout)
            } else {
                try await react(to: event)
            }
        }
    }

    // MARK: Kills

    private mutating func react(to event: WorkerGroup.Event) async throws {
        switch event {
        case .tick:
            guard let victim = schedule.victim(of: workers.living), budget.take() else { return }
            tally.atRandom += 1
            await workers.kill(victim)
            try workers.start()
        case .reported(let number, let line) where workers.living.contains(number):
            if line.event == .sending { try await aim(at: number) }
            if line.event == .ended { try await lose("\(line.reason ?? "")", in: nil) }
        case .exited(let number) where workers.living.contains(number):
            fault("a process ended by itself")
            await workers.kill(number)
            try workers.start()
        default: break
        }
    }

    private mutating func aim(at number: Int) async throws {
        switch schedule.aim() {
        case .spare: return
        case .kill(let delay):
            guard budget.take() else { return }
            // A random moment, like those of the ticks.
            try await Task.sleep(for: delay)
            tally.duringRefresh += 1
            await workers.kill(number)
            try workers.start()
        case .outage(let delay, let pause):
            guard budget.take(workers.living.count) else { return }
            try await Task.sleep(for: delay)
            tally.inOutages += await workers.killAll()
            try await Task.sleep(for: pause)
            try workers.start(size)
            let isLong = pause > .seconds(ReliabilityStage.grace)
            if !isLong { tally.shortOutages += 1 }
            outage = Outage(isLong: isLong, giveUp: ContinuousClock.now.advanced(by: Self.timeout))
        }
    }

    // MARK: The fate of the session

    private mutating func awaitEndOfOutage(_ event: WorkerGroup.Event) async throws {
        guard var outage else { return }
        if case .reported(let number, let line) = event, workers.living.contains(number) {
            if line.event == .called {
                if outage.isLong { tally.longOutagesSurvived += 1 }
                return self.outage = nil
            }
            if line.event == .ended {
                outage.reasons.append(line.reason ?? "")
                self.outage = outage
                // One process is told by the server; the others learn it from the store.
                if outage.reasons.count == size {
                    try await lose(outage.reasons.sorted().joined(separator: ","), in: outage)
                }
            }
        }
        if ContinuousClock.now > outage.giveUp {
            fault("after an outage nothing was heard but \(outage.reasons)")
            self.outage = nil
        }
    }

    /// Records the end of the session and signs in again.
    ///
    /// The end is expected if an outage longer than the window lost the response; otherwise it is a fault.
    private mutating func lose(_ reasons: String, in outage: Outage?) async throws {
        if outage?.isLong == true, outage?.reasons.count(where: { $0 == "refreshResponseLost" }) == 1 {
            tally.responsesLost += 1
        } else {
            fault("the session ended (\(reasons)), outage \(outage.map { $0.isLong ? "long" : "short" } ?? "none")")
        }
        self.outage = nil
        await workers.killAll()
        try await stage.signIn(workers.session)
        try workers.start(size)
    }

    private mutating func isFinalReport(_ event: WorkerGroup.Event, of lastWorker: Int?) -> Bool {
        guard case .reported(let number, let line) = event, workers.living.contains(number) else { return false }
        if line.event == .ended {
            fault("the session ended after the last kill (\(line.reason ?? ""))")
            return true
        }
        return number == lastWorker && line.event == .called
    }

    private mutating func fault(_ text: String) {
        tally.faults.append("\(workers.session.name): \(text)")
    }
}
