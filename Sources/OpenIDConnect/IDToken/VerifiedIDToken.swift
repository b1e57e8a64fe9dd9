public import AuthCore

/// An ID token whose signature and claims were checked: who signed in, by the provider's word.
///
/// Only this module makes one.
public struct VerifiedIDToken: Sendable {
    /// The token as it came.
    ///
    /// Secret: it goes into the store, and back to the provider at sign-out.
    public let idToken: IDToken
    /// What it says; all of it the provider's word.
    public let claims: UnverifiedClaims

    /// The provider's name for the person; never changes and is never given to another.
    ///
    /// Wire: `sub`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
    public var subject: String { claims.subject ?? "" }

    init(idToken: IDToken, claims: UnverifiedClaims) {
        self.idToken = idToken
        self.claims = claims
    }
}
