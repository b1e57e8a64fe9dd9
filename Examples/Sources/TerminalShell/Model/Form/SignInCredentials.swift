// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The values that the user has entered to sign in.
struct SignInCredentials: Sendable, Redacted {
    let email: String
    /// Secret.
    let password: Password
    /// Whether the session is kept after the program's end.
    let isRemembered: Bool
}
