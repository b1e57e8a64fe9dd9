/// How many sign-ins one address may try in how long.
public struct SignInLimit: Sendable, Equatable {
    /// The number of attempts.
    public let attempts: Int
    /// The time in which they are counted.
    public let window: Duration

    /// Makes a limit.
    public init(attempts: Int, window: Duration) {
        self.attempts = attempts
        self.window = window
    }
}
