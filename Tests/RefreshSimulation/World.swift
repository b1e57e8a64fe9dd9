// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import SecureStore
import Synchronization

/// One schedule's world: a clock, a server, a store, a lock, and the faults between them and the processes.
final class World: Sendable {
    let clock = TestClock()
    let server: SimulatedServer
    let store = MemoryStore()
    let locks = LockTable()
    let random: SeededRandom
    let plan: Plan
    let history: History
    private let start: TestClock.Instant
    let content = Mutex(Content())

    /// The mutable state.
    struct Content {
        /// Whether faults happen.
        var isWild = false
        var isOver = false
        var lives: [Life] = []
        /// The refresh tokens that were sent, and those of which a request or a response was lost.
        var sent: Set<SimulatedServer.Number> = []
        var lost: Set<SimulatedServer.Number> = []
        /// The number of requests that have left and not arrived.
        var inTransit = 0
        /// The tasks that wait for the next refresh.
        var watchers: [CheckedContinuation<Void, Never>] = []
        /// The refresh tokens on the wire, by life.
        var pending: [Int: Set<SimulatedServer.Number>] = [:]
        /// The newest session whose refresh token each process has presented.
        var presented: [Int: Int] = [:]
        /// The lives that received a response with a refresh token, by token.
        var deliveries: [SimulatedServer.Number: Set<Int>] = [:]
        var kills = 0
        var lastKill = Duration.seconds(-1_000)
        var losses = 0
        /// The families that the user signed out of, and those of them that the store may still hold.
        var signedOut: Set<Int> = []
        var leftBehind: Set<Int> = []
        var signingOut: Set<Int> = []
        var signOutsInFlight = 0
        /// The family of the last sign-in, if no sign-out has started since.
        var sessionToKeep: Int?
    }

    init(seed: UInt64, isTraced: Bool) {
        random = SeededRandom(seed: seed)
        plan = Plan(random, clock: SeededRandom(seed: ~seed))
        history = History(isKept: isTraced)
        server = SimulatedServer(clock: clock)
        start = clock.now
    }

    /// The time since the start of the schedule.
    var elapsed: Duration { start.duration(to: clock.now) }

    /// Whether faults happen and tasks start calls.
    var isWild: Bool {
        get { content.withLock { $0.isWild } }
        set { content.withLock { $0.isWild = newValue } }
    }

    /// Adds an event to the history, if it is kept.
    func note(_ text: @autoclosure () -> String) {
        history.note(at: elapsed, text())
    }

    // MARK: Lives

    /// Starts the next life.
    func newLife() -> Life {
        content.withLock { content in
            let life = Life(number: content.lives.count)
            content.lives.append(life)
            return life
        }
    }

    /// Kills a process between two of its steps, at random and within the limits of the plan.
    ///
    /// - Returns: Whether a process has died.
    func killByChance() -> Bool {
        guard isWild, random.chance(3) else { return false }
        let now = elapsed
        let victim = content.withLock { content -> Life? in
            let living = content.lives.filter { !$0.isDead }
            let isTooSoon = plan.isSurvivable && now - content.lastKill < .seconds(30)
            guard content.kills < plan.kills, !living.isEmpty, !isTooSoon else { return nil }
            let victim = living[random.below(living.count)]
            content.kills += 1
            content.lastKill = now
            // No process will receive the responses to its requests.
            content.lost.formUnion(content.pending[victim.number] ?? [])
            return victim
        }
        guard let victim else { return false }
        victim.kill()
        locks.drop(victim)
        note("process \(victim.number) dies")
        return true
    }

    /// Ends all lives: waiting tasks may finish, without any effect.
    func end() {
        let (lives, watchers) = content.withLock { content in
            (content.isOver, content.isWild) = (true, false)
            defer { content.watchers = [] }
            return (content.lives, content.watchers)
        }
        for watcher in watchers { watcher.resume() }
        for life in lives {
            life.end()
            locks.drop(life)
        }
    }
}
