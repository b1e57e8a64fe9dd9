// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An ID token whose signature and claims were verified.
///
/// Only this module creates one.
public struct VerifiedIDToken: Sendable {
    /// The token as received.
    ///
    /// Secret: it is stored, and sent to the provider at sign-out.
    public let idToken: IDToken
    /// The claims, which are as trusted as the provider.
    public let claims: UnverifiedClaims

    /// The provider's identifier of the user, which never changes and is never reassigned.
    ///
    /// Wire: `sub`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
    public var subject: String { claims.subject ?? "" }

    init(idToken: IDToken, claims: UnverifiedClaims) {
        self.idToken = idToken
        self.claims = claims
    }
}
