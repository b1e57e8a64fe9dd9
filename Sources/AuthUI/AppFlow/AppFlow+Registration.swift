// SPDX-License-Identifier: Apache-2.0

extension AppFlow {
    /// The app's own reason to show the registration screen.
    ///
    /// The screen also shows if the signed-in user's account is incomplete: `SessionUser.missing`.
    /// Each case takes effect only in the session state that it fits, so a stale value shows no wrong screen.
    public enum Registration: Sendable, Hashable {
        /// The app has no reason of its own.
        case notDue
        /// The user asked to register; takes effect only while signed out.
        case requested
        /// The app requires the signed-in user to register; takes effect only while signed in.
        case required
    }
}
