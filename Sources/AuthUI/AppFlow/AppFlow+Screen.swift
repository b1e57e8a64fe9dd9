// SPDX-License-Identifier: Apache-2.0

public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AppFlow {
    /// A screen of an app.
    public enum Screen: Sendable, Equatable {
        /// The first screen, until the session is restored.
        case splash
        /// The introduction to the app, shown once per installation.
        case onboarding
        /// The sign-in screen.
        case signIn
        /// The screen that creates or completes an account.
        case registration
        /// The store can't be read now, so the session is unknown.
        ///
        /// Never the sign-in screen: it would tell the user of a sign-out that didn't happen, and a sign-in would
        /// replace a session that still exists. The error's description is a sentence for the user. Restoring again
        /// leads on.
        case locked(SecureStoreError)
        /// The app itself, with the offline banner if there is a date since which the server can't be reached.
        case main(offlineSince: Date?)
    }
}
