/// What the shell needs of the world.
struct ShellServices: Sendable {
    /// What is known of the session; observed, so what it reads must be observable.
    var facts: @MainActor @Sendable () -> ShellFacts
    /// Shows what the store holds.
    var restore: @MainActor @Sendable () async -> Void
    /// Signs in; is given a way to show the address that the browser is sent to.
    var signIn: @MainActor @Sendable (_ show: @escaping @Sendable (String) -> Void) async -> Void
    var signOut: @MainActor @Sendable () async -> Void
    /// Looks again at what could not be reached.
    var retry: @MainActor @Sendable () async -> Void
    /// Looks again as the network returns, until its task is cancelled.
    var followNetwork: @Sendable () async -> Void
    /// Asks the server for the jobs, and where they don't come, whether the session still stands.
    var jobs: @MainActor @Sendable () async -> JobsAnswer
    /// Notes that the onboarding is over.
    var completeOnboarding: @MainActor @Sendable () -> Void
    /// Lets a refresh and a sign-out that are under way come to their end before the process does, within limits.
    ///
    /// Says whether the sign-out has.
    var settle: @MainActor @Sendable (_ signOut: Task<Void, Never>?) async -> Bool
}
