// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// One attempt to sign in with Apple, and its nonce.
///
/// An attempt can't be copied. `AuthSession.signIn(with:for:)` consumes it, even if the sign-in fails, so that no
/// nonce is ever used for a second attempt.
public struct AppleSignInAttempt: ~Copyable, Sendable {
    let nonce = Nonce()

    /// Creates an attempt with a new nonce.
    public init() {}

    /// The SHA-256 of the nonce, for `ASAuthorizationAppleIDRequest.nonce`.
    ///
    /// Not secret.
    public var hashedNonce: String { nonce.sha256 }
}
