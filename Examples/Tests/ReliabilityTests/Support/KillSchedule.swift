// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport

/// The random choices of a seed: the victims, the times of the kills, and the pauses before replacements.
///
/// Processes run as the machine lets them, so a seed repeats the choices but not the run.
struct KillSchedule {
    /// The choice for a process that has reported that it is about to send a refresh.
    enum Aim: Sendable {
        case spare
        /// The process is killed after a delay: before the refresh is sent, in flight, or while the response is
        /// written.
        case kill(after: Duration)
        /// All processes of the session are killed at once, as in a power failure; replacements start after the pause.
        case outage(after: Duration, pause: Duration)
    }

    private var random: SeededGenerator
    /// The longest wait between two random victims.
    private let longestWait: Duration
    /// The pauses after an outage that leave time for a replay within the server's window.
    private let shortPauses: ClosedRange<Int>
    /// The pauses longer than the window; nil for none.
    private let longPauses: ClosedRange<Int>?

    init(seed: UInt64, longestWait: Duration, shortPauses: ClosedRange<Int>, longPauses: ClosedRange<Int>?) {
        random = SeededGenerator(seed: seed)
        self.longestWait = longestWait
        self.shortPauses = shortPauses
        self.longPauses = longPauses
    }

    /// Returns the time until the next random kill.
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
