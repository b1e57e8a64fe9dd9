// SPDX-License-Identifier: Apache-2.0

package import AuthCore

/// The ID token of a refresh response, not yet verified.
///
/// Secret. [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
package struct RefreshedIDToken: Sendable, Redacted {
    let provider: OpenIDProvider
    /// The ID token; nil if the response has a malformed value in its place.
    let idToken: IDToken?
    let expected: IDTokenExpectations

    /// Verifies the token as at a sign-in, and checks that user, nonce and authentication time match the session's.
    ///
    /// May fetch the provider's keys.
    ///
    /// - Returns: The token, verified. Secret.
    /// - Throws: ``IDTokenError`` (`keysUnavailable` if the keys can't be fetched now); `CancellationError`.
    package func verified() async throws -> IDToken {
        guard let idToken else { throw IDTokenError(.malformed) }
        return try await provider.idTokenValidator.validate(idToken, expecting: expected).idToken
    }
}
