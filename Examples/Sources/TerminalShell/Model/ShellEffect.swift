// SPDX-License-Identifier: Apache-2.0

/// A side effect that an event requires.
enum ShellEffect: Sendable, Hashable {
    case signIn
    case cancelSignIn
    /// Saves that the onboarding was completed.
    case completeOnboarding
    case signOut
    /// Completes the account with the entered values.
    case updateProfile(ProfileEntries)
    case retry
    /// Asks the server whether the session is still valid, and for the jobs.
    case refresh
    case redraw
    /// Ends the program with an exit code.
    case quit(Int32)
}
