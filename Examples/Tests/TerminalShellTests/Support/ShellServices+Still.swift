// SPDX-License-Identifier: Apache-2.0

@testable import TerminalShell

extension ShellServices {
    /// Services that do nothing.
    static let still = ShellServices(
        facts: { ShellFacts() },
        restore: {},
        signIn: { _ in },
        signOut: {},
        retry: {},
        jobs: { .notAsked },
        completeOnboarding: {},
        settle: { _ in true }
    )
}
