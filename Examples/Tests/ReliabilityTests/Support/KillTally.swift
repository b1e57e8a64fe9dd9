/// What was done to sessions, and what became of them.
struct KillTally: Sendable {
    /// One process, at a random moment.
    var atRandom = 0
    /// One process whose refresh was about to leave, on its way, or just answered.
    var duringRefresh = 0
    /// Processes that died together.
    var inOutages = 0
    /// Outages that left time to ask again within the server's window, after all of which the session must stand.
    var shortOutages = 0
    /// Outages beyond the window that the session survived, for nothing was lost with the processes.
    var longOutagesSurvived = 0
    /// Outages beyond the window in which the answer was lost: who is there afterwards is told so.
    var answersLost = 0
    /// What must not be, in words.
    var faults: [String] = []

    var kills: Int { atRandom + duringRefresh + inOutages }

    static func += (sum: inout Self, more: Self) {
        sum.atRandom += more.atRandom
        sum.duringRefresh += more.duringRefresh
        sum.inOutages += more.inOutages
        sum.shortOutages += more.shortOutages
        sum.longOutagesSurvived += more.longOutagesSurvived
        sum.answersLost += more.answersLost
        sum.faults += more.faults
    }

    /// All of it, for people.
    var summary: String {
        """
        kills \(kills): at random \(atRandom), during a refresh \(duringRefresh), in outages \(inOutages); \
        outages within the window \(shortOutages), beyond it \(longOutagesSurvived + answersLost), \
        of which \(answersLost) had lost an answer
        """
    }
}
