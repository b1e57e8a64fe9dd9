// SPDX-License-Identifier: Apache-2.0

public import AuthSession

/// The rules that decide which screen an app shows.
///
/// A value without side effects: the app sets its properties and draws ``screen``.
///
///     var flow = AppFlow(isOnboardingCompleted: settings.load().isOnboardingCompleted)
///     for await state in session.states {
///         flow.session = state
///         draw(flow.screen)
///     }
public struct AppFlow: Sendable, Equatable {
    /// The session's state.
    public var session: SessionState
    /// Whether the user has completed or skipped the onboarding of this installation.
    public var isOnboardingCompleted: Bool
    /// The app's own reason to register, if any.
    public var registration: Registration
    /// Whether the splash screen has been shown for the minimum time that the app wants.
    ///
    /// True from the start if a restored session is to show at once.
    public var isSplashOver: Bool

    /// Creates a flow, by default at the start of a launch.
    ///
    /// - Parameters:
    ///   - session: The session's state.
    ///   - isOnboardingCompleted: Whether the onboarding was completed or skipped.
    ///   - registration: The app's own reason to register, if any.
    ///   - isSplashOver: Whether the splash screen has been shown for long enough.
    public init(
        session: SessionState = .restoring,
        isOnboardingCompleted: Bool,
        registration: Registration = .notDue,
        isSplashOver: Bool = true
    ) {
        self.session = session
        self.isOnboardingCompleted = isOnboardingCompleted
        self.registration = registration
        self.isSplashOver = isSplashOver
    }

    /// The screen to show.
    ///
    /// The first launch of an installation begins with the onboarding, also if a user is signed in: the keyring may
    /// have kept the session of an earlier installation. The onboarding doesn't wait for a locked store, but the
    /// sign-in does. A user whose account lacks what the server requires registers before the main screen, also after a
    /// restart and offline: the session keeps `SessionUser.missing`.
    public var screen: Screen {
        guard isSplashOver else { return .splash }
        return switch session {
        case .restoring: .splash
        case _ where !isOnboardingCompleted: .onboarding
        case .locked(let reason): .locked(reason)
        case .signedOut: registration == .requested ? .registration : .signIn
        case .signedIn where registration == .required: .registration
        case .signedIn(let user?, _) where !user.missing.isEmpty: .registration
        case .signedIn(_, .online): .main(offlineSince: nil)
        case .signedIn(_, .offline(let since)): .main(offlineSince: since)
        }
    }
}
