package import AuthCore

/// The ID token that came with a refresh, not yet verified.
///
/// Secret. [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
package struct RefreshedIDToken: Sendable, CustomStringConvertible, CustomReflectable {
    let provider: OpenIDProvider
    /// Nil if the response has something else in its place.
    let idToken: IDToken?
    let expected: IDTokenExpectations

    /// Verifies the token as one of a sign-in is verified, its user, nonce and time of authentication being the session's.
    ///
    /// May fetch the provider's keys.
    ///
    /// - Returns: The token, verified. Secret.
    /// - Throws: ``IDTokenError`` (`keysUnavailable` if the keys can't be fetched now); `CancellationError`.
    package func verified() async throws -> IDToken {
        guard let idToken else { throw IDTokenError(.malformed) }
        return try await provider.idTokenValidator.validate(idToken, expecting: expected).idToken
    }

    /// The type alone.
    package var description: String { "RefreshedIDToken(<redacted>)" }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
