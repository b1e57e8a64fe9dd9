// SPDX-License-Identifier: Apache-2.0

/// The settings that an app keeps between launches and that are not secret.
///
/// Kept in ``AppSettingsStore``, not in the keyring with the session, so that they end with the installation.
public struct AppSettings: Codable, Sendable, Hashable {
    /// Whether the user has completed or skipped the onboarding.
    public var isOnboardingCompleted: Bool
    /// The server at which each profile's user last began to sign in; a profile is absent if no arguments named it.
    public var servers: [String: SignInServer]?

    /// Creates settings, by default those of a first launch.
    public init(isOnboardingCompleted: Bool = false) {
        self.isOnboardingCompleted = isOnboardingCompleted
    }
}
