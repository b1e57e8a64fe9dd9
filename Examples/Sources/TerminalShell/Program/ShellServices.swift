// SPDX-License-Identifier: Apache-2.0

/// The services that the shell uses.
struct ShellServices: Sendable {
    /// Returns the facts about the session, from observable state so that changes are noticed.
    var facts: @MainActor @Sendable () -> ShellFacts
    /// Restores the session from the store.
    var restore: @MainActor @Sendable () async -> Void
    /// Signs in, and passes the address for the browser to a closure that shows it.
    var signIn: @MainActor @Sendable (_ show: @escaping @Sendable (String) -> Void) async -> Void
    /// Signs in with what the user has entered.
    var signInWithPassword: @MainActor @Sendable (_ credentials: SignInCredentials) async -> Void = { _ in }
    var signOut: @MainActor @Sendable () async -> Void
    /// Tries the server or the store again after a failure.
    var retry: @MainActor @Sendable () async -> Void
    /// Registers the device for notifications after each sign-in and restore, until its task is cancelled.
    var registerDevice: @MainActor @Sendable () async -> Void = {}
    /// Completes the account with the entered values.
    var updateProfile: @MainActor @Sendable (ProfileEntries) async -> Void = { _ in }
    /// Asks the server for the jobs, and after a failure whether the session is still valid.
    var jobs: @MainActor @Sendable () async -> JobsResponse
    /// Saves that the onboarding was completed.
    var completeOnboarding: @MainActor @Sendable () -> Void
    /// Waits within limits for a refresh and a sign-out in progress before the process ends.
    ///
    /// Returns whether the sign-out has finished.
    var settle: @MainActor @Sendable (_ signOut: Task<Void, Never>?) async -> Bool
}
