// SPDX-License-Identifier: Apache-2.0

/// The kills of sessions' processes, and their consequences.
struct KillTally: Sendable {
    /// The kills of one process at a random moment.
    var atRandom = 0
    /// The kills of one process whose refresh was about to be sent, in flight, or just answered.
    var duringRefresh = 0
    /// The processes that were killed together.
    var inOutages = 0
    /// The outages that left time for a replay within the server's window; the session must survive all of them.
    var shortOutages = 0
    /// The outages longer than the window that the session survived, since no response was lost.
    var longOutagesSurvived = 0
    /// The outages longer than the window in which the response was lost; a later process reports that.
    var responsesLost = 0
    /// Descriptions of the faults.
    var faults: [String] = []

    var kills: Int { atRandom + duringRefresh + inOutages }

    static func += (sum: inout Self, more: Self) {
        sum.atRandom += more.atRandom
        sum.duringRefresh += more.duringRefresh
        sum.inOutages += more.inOutages
        sum.shortOutages += more.shortOutages
        sum.longOutagesSurvived += more.longOutagesSurvived
        sum.responsesLost += more.responsesLost
        sum.faults += more.faults
    }

    /// A summary for readers.
    var summary: String {
        """
        kills \(kills): at random \(atRandom), during a refresh \(duringRefresh), in outages \(inOutages); \
        outages within the window \(shortOutages), beyond it \(longOutagesSurvived + responsesLost), \
        of which \(responsesLost) had lost a response
        """
    }
}
