// SPDX-License-Identifier: Apache-2.0

/// The state of an app's use of an Apple Account, as Apple's system tells it.
///
/// The cases of `ASAuthorizationAppleIDProvider.CredentialState`.
public enum AppleCredentialState: Sendable, Hashable {
    /// The app may use the account.
    case authorized
    /// The user, or Apple, has revoked the use of the account.
    case revoked
    /// The device does not know the account, for example after a restored backup or with another Apple Account.
    case notFound
    /// The app was transferred to another team, and the account's identifier has changed.
    case transferred
}
