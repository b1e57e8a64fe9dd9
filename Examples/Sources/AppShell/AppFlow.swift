// SPDX-License-Identifier: Apache-2.0

public import AuthSession
public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The rules that decide which screen an app shows.
///
/// A value without side effects: the app sets its properties and draws ``screen-swift.property``.
public struct AppFlow: Sendable, Equatable {
    /// A screen of an app.
    public enum Screen: Sendable, Equatable {
        /// The first screen, until the session is restored.
        case splash
        /// The introduction to the app, shown once per installation.
        case onboarding
        /// The sign-in screen.
        case signIn
        /// The screen that completes an account.
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

    /// The session's state.
    public var session: SessionState
    /// Whether the user has completed or skipped the onboarding of this installation.
    public var isOnboardingCompleted: Bool
    /// Whether the app asks for what a user's account lacks; if false, a sign-in leads straight into the app.
    public let completesAccounts: Bool

    /// Creates a flow, by default at the start of a launch.
    public init(session: SessionState = .restoring, isOnboardingCompleted: Bool, completesAccounts: Bool = false) {
        self.session = session
        self.isOnboardingCompleted = isOnboardingCompleted
        self.completesAccounts = completesAccounts
    }

    /// The screen to show.
    ///
    /// The first launch of an installation begins with the onboarding, also if a user is signed in: the keyring may
    /// have kept the session of an earlier installation. The onboarding doesn't wait for a locked store, but the
    /// sign-in does. If the app completes accounts, a user whose account lacks what the server requires registers before
    /// the main screen, also after a restart and offline: the session keeps `SessionUser.missing`.
    public var screen: Screen {
        switch session {
        case .restoring: .splash
        case _ where !isOnboardingCompleted: .onboarding
        case .locked(let reason): .locked(reason)
        case .signedOut: .signIn
        case .signedIn(let user?, _) where completesAccounts && !user.missing.isEmpty: .registration
        case .signedIn(_, .online): .main(offlineSince: nil)
        case .signedIn(_, .offline(let since)): .main(offlineSince: since)
        }
    }
}
