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

    /// What changes.
    struct Content {
        /// Faults happen only while this is so.
        var isWild = false
        var isOver = false
        var lives: [Life] = []
        /// Refresh tokens that were sent, and those of which a sending or its answer was lost.
        var sent: Set<SimulatedServer.Number> = []
        var lost: Set<SimulatedServer.Number> = []
        /// How many requests have left and not arrived.
        var onTheWay = 0
        /// Who waits for the next refresh to be sent.
        var watchers: [CheckedContinuation<Void, Never>] = []
        /// On the wire, by life.
        var pending: [Int: Set<SimulatedServer.Number>] = [:]
        /// To which lives the answer came that holds a refresh token.
        var deliveries: [SimulatedServer.Number: Set<Int>] = [:]
        var kills = 0
        var lastKill = Duration.seconds(-1_000)
        var losses = 0
        /// Which families the person signed out of, and of which it was said that the store may still hold them.
        var signedOut: Set<Int> = []
        var leftBehind: Set<Int> = []
        var signingOut: Set<Int> = []
        var signOutsUnderWay = 0
        /// The family of the last sign-in, where no sign-out has begun since.
        var sessionToKeep: Int?
    }

    init(seed: UInt64, isTraced: Bool) {
        random = SeededRandom(seed: seed)
        plan = Plan(random)
        history = History(isKept: isTraced)
        server = SimulatedServer(clock: clock)
        start = clock.now
    }

    /// How long the schedule has lasted.
    var elapsed: Duration { start.duration(to: clock.now) }

    /// Whether faults happen and calls are begun.
    var isWild: Bool {
        get { content.withLock { $0.isWild } }
        set { content.withLock { $0.isWild = newValue } }
    }

    /// Tells the history, where it is kept.
    func note(_ text: @autoclosure () -> String) {
        history.note(at: elapsed, text())
    }

    // MARK: Lives

    /// Begins the next life.
    func newLife() -> Life {
        content.withLock { content in
            let life = Life(number: content.lives.count)
            content.lives.append(life)
            return life
        }
    }

    /// Kills a process between two of its steps, where the plan has it and chance says now.
    ///
    /// - Returns: Whether one has died.
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
            // Whatever it had on the wire will not be heard by anybody.
            content.lost.formUnion(content.pending[victim.number] ?? [])
            return victim
        }
        guard let victim else { return false }
        victim.kill()
        locks.drop(victim)
        note("process \(victim.number) dies")
        return true
    }

    /// Ends all lives: what still waits may go on, and reaches nothing.
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
