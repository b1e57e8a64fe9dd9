// SPDX-License-Identifier: Apache-2.0

/// The way in which the users of an app sign in.
public enum SignInMethod: Sendable, Hashable {
    /// With Apple; the backend's contract has one long-lived token.
    case apple
    /// With an e-mail address and a password; the backend's contract has an access token and a refresh token.
    case password
}
