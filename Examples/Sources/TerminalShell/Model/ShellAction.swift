// SPDX-License-Identifier: Apache-2.0

/// An action of the user on a screen, by key, by mouse or by number.
enum ShellAction: Sendable, Hashable {
    case next
    case back
    case skip
    case getStarted
    /// Shows a page of the onboarding, by its index from 0.
    case page(Int)
    case signIn
    case cancelSignIn
    /// Shows a tab of the main screen, by its index from 0.
    case tab(Int)
    /// Asks the server for the shown data and whether the session is still valid.
    case refresh
    /// Tries the server or the store again after a failure.
    case retry
    case signOut
    /// Moves the focus to a text field, by its index from 0.
    case field(Int)
    /// Completes the account with the entered values.
    case register
    /// Switches whether the session is kept after the program's end.
    case remember
    case quit
}
