/// What a session does by itself, and whom it tells.
///
/// What is not set is right for an app.
public struct SessionOptions: Sendable {
    /// Whether a session that is offline or locked looks again by itself, with growing pauses.
    public var looksAgain = true
    /// How many times a sign-in at an app's own backend is sent at most, a second apart, while the backend is away.
    public var signInAttempts = 3
    /// Told after somebody has signed in here, or in place of another person in another process: to register for notifications
    /// again, say.
    ///
    /// Hooks are called one after the other; the session goes on meanwhile.
    public var didSignIn: (@Sendable (User?) async -> Void)?
    /// Asked before the person is signed out, while requests still go out in their name; waited for at most five seconds.
    ///
    /// Not asked where somebody signs in in place of another person: sign that one out first.
    public var willSignOut: (@Sendable () async -> Void)?
    /// Told after the person is signed in no more, whatever the reason: also where another person is, in their place.
    public var didSignOut: (@Sendable (SignedOutReason) async -> Void)?

    /// Makes options with their defaults.
    public init() {}

    /// A session that does nothing by itself: for tests and simulations that count what happens.
    package static let still: SessionOptions = {
        var options = SessionOptions()
        options.looksAgain = false
        options.signInAttempts = 1
        return options
    }()
}
