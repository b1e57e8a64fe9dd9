/// What decides which screen an app shows.
///
/// A value that looks nothing up and changes nothing: the app puts in what it knows, and draws ``screen``.
///
///     var flow = AppFlow(isOnboardingCompleted: settings.load().isOnboardingCompleted)
///     for await state in session.states {
///         flow.session = state
///         draw(flow.screen)
///     }
public struct AppFlow: Sendable, Equatable {
    /// How the session stands.
    public var session: SessionState
    /// Whether the person has been through the onboarding of this installation, or has skipped it.
    public var isOnboardingCompleted: Bool
    /// Whether the person is to register.
    public var registration: Registration
    /// Whether the splash screen has stood for as long as the app wants it to stand at least.
    ///
    /// True from the start where a restored session is to show at once.
    public var isSplashOver: Bool

    /// Makes a flow; of one that has just begun unless more is known.
    ///
    /// - Parameters:
    ///   - session: How the session stands.
    ///   - isOnboardingCompleted: Whether the onboarding was completed or skipped.
    ///   - registration: Whether the person is to register.
    ///   - isSplashOver: Whether the splash screen has stood for long enough.
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

    /// Which screen is due.
    ///
    /// The first launch of an installation begins with the onboarding, also for who is still signed in: the keyring may
    /// have kept the session of an earlier installation. It does not wait for a store that is locked; the sign-in does.
    public var screen: Screen {
        guard isSplashOver else { return .splash }
        return switch session {
        case .restoring: .splash
        case _ where !isOnboardingCompleted: .onboarding
        case .locked(let reason): .locked(reason)
        case .signedOut: registration == .requested ? .registration : .signIn
        case .signedIn where registration == .required: .registration
        case .signedIn(_, .online): .main(offlineSince: nil)
        case .signedIn(_, .offline(let since)): .main(offlineSince: since)
        }
    }
}
