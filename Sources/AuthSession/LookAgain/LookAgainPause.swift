/// How long a session waits before it looks again.
///
/// Twice as long each time. Jittered, or all apps that lost a server at the same moment would come back at the same moment.
struct LookAgainPause: Sendable {
    /// Of a server: it may be away for hours.
    private static let longest = Duration.seconds(300)
    /// Of a store, which is read without asking anybody: the person has just typed the password and waits.
    private static let longestOfStore = Duration.seconds(15)

    private var failures = 0
    private var askedUntil: Duration?

    /// The next pause.
    ///
    /// - Parameters:
    ///   - isStore: Whether it is a store that can't be read.
    ///   - fraction: From 0 to 1: which part of the jitter it takes.
    ///   - uptime: Now.
    /// - Returns: The pause: between half of it and the whole, or what the server asked for where that is longer.
    func next(ofStore isStore: Bool, fraction: Double, at uptime: Duration) -> Duration {
        let doubled = (isStore ? Duration.seconds(1) : .seconds(2)) * (1 << min(failures, 10))
        let fraction = min(max(fraction, 0), 1)
        let drawn = min(doubled, isStore ? Self.longestOfStore : Self.longest) * (0.5 + 0.5 * fraction)
        // Never before the server wants it; and those whom it told the same not all at the same moment.
        return isStore ? drawn : max(drawn, rest(at: uptime) * (1 + 0.25 * fraction))
    }

    /// Hears what the server has just answered.
    ///
    /// - Parameters:
    ///   - asked: How long it asks to wait; nil where it says nothing, which takes nothing back. Five minutes at most are
    ///     granted.
    ///   - uptime: Now.
    mutating func hear(_ asked: Duration?, at uptime: Duration) {
        if let asked { askedUntil = uptime + min(asked, Self.longest) }
    }

    /// How long the server still asks to be left alone; zero where it does not.
    func rest(at uptime: Duration) -> Duration { max((askedUntil ?? uptime) - uptime, .zero) }

    /// Begins with short pauses again, as something is new; what the server asked for stands.
    mutating func beginAnew() {
        failures = 0
    }

    /// It looked in vain.
    mutating func fail() {
        failures += 1
    }
}
