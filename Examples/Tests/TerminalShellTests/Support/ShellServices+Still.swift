@testable import TerminalShell

extension ShellServices {
    /// A world in which nothing happens.
    static let still = ShellServices(
        facts: { ShellFacts() },
        restore: {},
        signIn: { _ in },
        signOut: {},
        retry: {},
        jobs: { .notAsked },
        completeOnboarding: {},
        settle: {}
    )
}
