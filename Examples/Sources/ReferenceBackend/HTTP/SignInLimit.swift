/// A number of sign-ins that may be tried in a length of time.
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
