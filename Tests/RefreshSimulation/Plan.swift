// SPDX-License-Identifier: Apache-2.0

/// The faults and events of one schedule, drawn from its seed.
struct Plan: Sendable {
    /// Whether a session must survive every fault.
    ///
    /// Then no refresh token loses two responses, a dead process restarts within a second, and the store works.
    let isSurvivable: Bool
    let processes: Int
    let tasksEach: Int
    /// The time in which faults happen and tasks start calls.
    let length: Duration
    let kills: Int
    /// The number of requests in a thousand that are lost or lose their response.
    let losses: Int
    /// The times at which the store fails, and whether only changes fail.
    let storeFaults: [(from: Duration, to: Duration, isForChangesOnly: Bool)]
    /// The time at which the user signs out; nil for never.
    let signOut: Duration?
    /// The time at which the user signs in again, in any process; nil for never.
    let signIn: Duration?
    /// The time at which an administrator ends the session at the server; nil for never.
    let administratorEnds: Duration?
    /// Whether these events wait for the next refresh, and come while it is in flight.
    let isDuringRefresh: Bool
    /// The time at which the machine sleeps, and its duration; nil for never.
    let sleep: (from: Duration, span: Duration)?
    /// The times at which the wall clock is set, and by how much.
    let clockSteps: [(time: Duration, span: Duration)]
    /// Whether each refresh is carried out by a process of its own.
    let delegates: Bool

    /// Draws a plan; `clock` draws the jumps of its wall clock, and whether refreshes are delegated.
    init(_ random: SeededRandom, clock: SeededRandom) {
        isSurvivable = random.chance(600)
        processes = 1 + random.below(3)
        tasksEach = 1 + random.below(3)
        length = .seconds(120 + random.below(240))
        kills = random.below(3)
        losses = [0, 30, 150, 400][random.below(4)]
        let length = length
        func randomTime() -> Duration { length * random.fraction() }
        let signOut = random.chance(300) ? randomTime() : nil
        let administratorEnds = random.chance(isSurvivable ? 0 : 150) ? randomTime() : nil
        // A new sign-in is drawn close to the event that ends a session, so that they meet.
        let anchor = signOut ?? administratorEnds
        signIn =
            random.chance(anchor == nil ? 150 : 600)
            ? (random.chance(700) ? anchor.map { $0 + random.span(0...2_000) } : nil) ?? randomTime() : nil
        (self.signOut, self.administratorEnds) = (signOut, administratorEnds)
        isDuringRefresh = random.chance(600)
        sleep = random.chance(isSurvivable ? 0 : 300) ? (randomTime(), random.span(1_000...600_000)) : nil
        clockSteps = (0..<clock.below(3)).map { _ in
            let span = clock.span(1_000...86_400_000)
            return (length * clock.fraction(), clock.chance(500) ? span : .zero - span)
        }
        delegates = clock.chance(500)
        storeFaults =
            isSurvivable
            ? []
            : (0..<random.below(4)).map { _ in
                let from = randomTime()
                return (from, from + random.span(100...40_000), random.chance(500))
            }
    }
}
