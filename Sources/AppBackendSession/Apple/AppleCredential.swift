// SPDX-License-Identifier: Apache-2.0

public import AuthCore

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
