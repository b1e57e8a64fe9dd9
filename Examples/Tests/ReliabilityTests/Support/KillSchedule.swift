import TestSupport

/// Who is killed, when, and for how long nobody takes its place: by chance, as a seed has it.
///
/// Processes run as the machine lets them, so that a seed repeats the choices and not the run.
struct KillSchedule {
    /// What is done to the process that has said that its refresh is about to leave.
    enum Aim: Sendable {
        case spare
        /// That one, after so long: before the refresh leaves, while it is on its way, while the answer is written.
        case kill(after: Duration)
        /// All of the session at once, as with the machine, and nobody starts again before the pause is over.
        case outage(after: Duration, pause: Duration)
    }

    private var random: SeededGenerator
    /// The longest wait between a victim and the next.
    private let longestWait: Duration
    /// Pauses after an outage that leave time to ask again within the server's window.
    private let shortPauses: ClosedRange<Int>
    /// Pauses beyond the window, where these are to happen.
    private let longPauses: ClosedRange<Int>?

    init(seed: UInt64, longestWait: Duration, shortPauses: ClosedRange<Int>, longPauses: ClosedRange<Int>?) {
        random = SeededGenerator(seed: seed)
        self.longestWait = longestWait
        self.shortPauses = shortPauses
        self.longPauses = longPauses
    }

    /// How long until the next one is killed that nobody aims at.
    mutating func wait() -> Duration {
        .milliseconds(Int.random(in: 0...Int(longestWait / .milliseconds(1)), using: &random))
    }

    mutating func victim(of living: [Int]) -> Int? {
        living.randomElement(using: &random)
    }

    mutating func aim() -> Aim {
        // As long as a refresh takes on a busy machine, from the journal to the last byte in the keyring.
        let delay = Duration.microseconds(Int.random(in: 0...60_000, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4: return .spare
        case 4..<5: return .outage(after: delay, pause: .milliseconds(Int.random(in: shortPauses, using: &random)))
        case 5..<7:
            guard let longPauses else { return .kill(after: delay) }
            return .outage(after: delay, pause: .milliseconds(Int.random(in: longPauses, using: &random)))
        default: return .kill(after: delay)
        }
    }
}
