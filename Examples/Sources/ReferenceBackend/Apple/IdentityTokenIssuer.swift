/// Someone whose identity tokens are accepted.
package struct IdentityTokenIssuer: Sendable {
    /// The `iss` of its tokens, compared exactly.
    package var issuer: String
    /// Where its key set is fetched.
    package var keySetURL: String
    /// What its accounts are filed under; the issuer, but for the stand-in, whose port changes.
    package var accountIssuer: String

    package init(issuer: String, keySetURL: String, accountIssuer: String? = nil) {
        self.issuer = issuer
        self.keySetURL = keySetURL
        self.accountIssuer = accountIssuer ?? issuer
    }

    /// Apple.
    package static let apple = IdentityTokenIssuer(
        issuer: "https://appleid.apple.com",
        keySetURL: "https://appleid.apple.com/auth/keys"
    )
}
