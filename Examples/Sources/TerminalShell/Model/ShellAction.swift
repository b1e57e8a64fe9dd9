/// What a person can do on a screen, by key, by mouse or by number.
enum ShellAction: Sendable, Hashable {
    case next
    case back
    case skip
    case getStarted
    /// A dot of the onboarding, counted from 0.
    case page(Int)
    case signIn
    case cancelSignIn
    /// A tab of the main screen, counted from 0.
    case tab(Int)
    /// Asks the server for what shows, and whether the session still stands.
    case refresh
    /// Looks again at what could not be reached.
    case retry
    case signOut
    case quit
}
