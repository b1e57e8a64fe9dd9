// SPDX-License-Identifier: Apache-2.0

/// An issuer whose identity tokens are accepted.
package struct IdentityTokenIssuer: Sendable {
    /// The `iss` claim of its tokens, compared exactly.
    package var issuer: String
    /// The URL of its key set.
    package var jwksURI: String
    /// The issuer name under which its accounts are stored; differs only for the stand-in, whose port changes.
    package var accountIssuer: String

    package init(issuer: String, jwksURI: String, accountIssuer: String? = nil) {
        self.issuer = issuer
        self.jwksURI = jwksURI
        self.accountIssuer = accountIssuer ?? issuer
    }

    /// The address of the sign-in page.
    var authorizationEndpoint: String { issuer + "/auth/authorize" }

    /// The address of the token endpoint.
    var tokenEndpoint: String { issuer + "/auth/token" }

    /// The issuer of Apple's identity tokens.
    package static let apple = IdentityTokenIssuer(
        issuer: "https://appleid.apple.com",
        jwksURI: "https://appleid.apple.com/auth/keys"
    )
}
