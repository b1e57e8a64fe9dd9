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
    /// Asks the server for the jobs, and where they don't come, whether the session still stands.
    var jobs: @MainActor @Sendable () async -> JobsAnswer
    /// Notes that the onboarding is over.
    var completeOnboarding: @MainActor @Sendable () -> Void
    /// Lets what is under way come to its end before the process does.
    var settle: @MainActor @Sendable () async -> Void
}
