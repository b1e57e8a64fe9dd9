/// What one schedule has in store for its processes, drawn from its seed.
struct Plan: Sendable {
    /// Whether every fault is one that a session is promised to survive.
    ///
    /// Then no refresh token loses two answers, a process that died is back within a second, and the store works.
    let isSurvivable: Bool
    let processes: Int
    let tasksEach: Int
    /// How long faults happen, and tasks begin calls.
    let length: Duration
    let kills: Int
    /// In how many of a thousand requests something is lost.
    let losses: Int
    /// When the store does not work, and whether it is only for changes.
    let storeFaults: [(from: Duration, to: Duration, isForChangesOnly: Bool)]
    /// When the person signs out; nil for never.
    let signOut: Duration?
    /// When the person signs in again, in any process; nil for never.
    let signIn: Duration?
    /// When somebody who looks after the server ends the session there; nil for never.
    let ownerEnds: Duration?
    /// When the machine sleeps, and for how long; nil for never.
    let sleep: (from: Duration, span: Duration)?

    init(_ random: SeededRandom) {
        isSurvivable = random.chance(600)
        processes = 1 + random.below(3)
        tasksEach = 1 + random.below(3)
        length = .seconds(120 + random.below(240))
        kills = random.below(3)
        losses = [0, 30, 150, 400][random.below(4)]
        let length = length
        func moment() -> Duration { length * random.fraction() }
        signOut = random.chance(250) ? moment() : nil
        signIn = random.chance(250) ? moment() : nil
        ownerEnds = random.chance(isSurvivable ? 0 : 100) ? moment() : nil
        sleep = random.chance(isSurvivable ? 0 : 200) ? (moment(), random.span(1_000...600_000)) : nil
        storeFaults =
            isSurvivable
            ? []
            : (0..<random.below(4)).map { _ in
                let from = moment()
                return (from, from + random.span(100...40_000), random.chance(500))
            }
    }
}
