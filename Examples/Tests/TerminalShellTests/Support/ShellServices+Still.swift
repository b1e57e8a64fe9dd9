@testable import TerminalShell

extension ShellServices {
    /// A world in which nothing happens.
    static let still = ShellServices(
        facts: { ShellFacts() },
        restore: {},
        signIn: { _ in },
        signOut: {},
        retry: {},
        followNetwork: {},
        jobs: { .notAsked },
        completeOnboarding: {},
        settle: { _ in true }
    )
}
