/// What an app remembers between launches that is no secret.
///
/// Kept in ``AppSettingsStore``, beside the session and not in its keyring: what belongs to an installation ends with it.
public struct AppSettings: Sendable, Hashable {
    /// Whether the person has been through the onboarding, or has skipped it.
    public var isOnboardingCompleted: Bool

    /// Makes settings; those of a first launch unless more is said.
    ///
    /// - Parameter isOnboardingCompleted: Whether the onboarding was completed or skipped.
    public init(isOnboardingCompleted: Bool = false) {
        self.isOnboardingCompleted = isOnboardingCompleted
    }
}
