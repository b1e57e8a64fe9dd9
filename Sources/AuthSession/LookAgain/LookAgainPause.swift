/// How long a session waits before it looks again.
///
/// Twice as long each time. Jittered, or all apps that lost a server at the same moment would come back at the same moment.
struct LookAgainPause: Sendable {
    /// Of a server: it may be away for hours.
    private static let longest = Duration.seconds(300)
    /// Of a store, which is read without asking anybody: the person has just typed the password and waits.
    private static let longestOfStore = Duration.seconds(15)

    private var failures = 0
    private var asked = Duration.zero

    /// The next pause.
    ///
    /// - Parameters:
    ///   - isStore: Whether it is a store that can't be read.
    ///   - fraction: From 0 to 1: which part of the jitter it takes.
    /// - Returns: The pause: between half of it and the whole, or what the server asked for where that is longer.
    func next(ofStore isStore: Bool, fraction: Double) -> Duration {
        let doubled = (isStore ? Duration.seconds(1) : .seconds(2)) * (1 << min(failures, 10))
        let fraction = min(max(fraction, 0), 1)
        let drawn = min(doubled, isStore ? Self.longestOfStore : Self.longest) * (0.5 + 0.5 * fraction)
        // Never before the server wants it; and those whom it told the same not all at the same moment.
        return isStore ? drawn : max(drawn, asked * (1 + 0.25 * fraction))
    }

    /// Hears what the server has just answered.
    ///
    /// - Parameter asked: How long it asks to wait; nil where it says nothing. Five minutes at most are granted.
    mutating func hear(_ asked: Duration?) {
        self.asked = min(asked ?? .zero, Self.longest)
    }

    /// It looked in vain.
    mutating func fail() {
        failures += 1
    }
}
