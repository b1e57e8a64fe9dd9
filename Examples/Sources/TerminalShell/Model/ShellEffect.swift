/// What the shell has to do in the world because of an event.
enum ShellEffect: Sendable, Hashable {
    case signIn
    case cancelSignIn
    /// The onboarding is over, and is not shown again.
    case completeOnboarding
    case signOut
    case retry
    /// Asks the server whether the session still stands, and for the jobs.
    case refresh
    case redraw
    /// The end, with an exit code.
    case quit(Int32)
}
