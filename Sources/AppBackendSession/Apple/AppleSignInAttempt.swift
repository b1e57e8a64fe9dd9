// SPDX-License-Identifier: Apache-2.0

public import AuthCore

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

/// The credential that Apple issued for an attempt.
public struct AppleCredential: Sendable, Redacted {
    /// The identity token, which the backend verifies.
    ///
    /// Secret.
    public let identityToken: IDToken
    /// Apple's identifier of the user.
    ///
    /// Proves nothing by itself.
    public let userIdentifier: String?
    /// The email address, given at the first sign-in only.
    public let email: String?
    /// The name, given at the first sign-in only.
    public let name: String?

    /// Creates a credential.
    public init(identityToken: IDToken, userIdentifier: String? = nil, email: String? = nil, name: String? = nil) {
        self.identityToken = identityToken
        self.userIdentifier = userIdentifier
        self.email = email
        self.name = name
    }
}
