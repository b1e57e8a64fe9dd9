// SPDX-License-Identifier: Apache-2.0

package import APIClient
package import AuthCore

extension OpenIDProvider {
    /// Requests new tokens with a refresh token.
    ///
    /// If the response's ID token, verified or not, names another issuer, user or client, the whole response is refused
    /// and its tokens must be revoked. An attacker that can change the ID token can change the tokens beside it, and a
    /// provider that confuses two users must not mix them in one session. ``RefreshedIDToken`` verifies everything else
    /// about the ID token later: the only copy of the new tokens must not wait for a key set, nor be lost because the
    /// key set is unavailable.
    ///
    /// - Parameters:
    ///   - refreshToken: The refresh token. Secret.
    ///   - target: The API that the access token is for; nil for the one of the sign-in.
    ///   - previous: The session's last verified ID token; nil if no ID token was verified. Secret.
    ///   - dpopKey: The key that the tokens are bound to; nil for bearer tokens.
    ///   - sendGuard: The check that runs just before the request is sent; false prevents the request.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// Wire: `grant_type=refresh_token`. [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6),
    /// [OpenID Connect Core 1.0, 12](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokens).
    package func refreshed(
        with refreshToken: RefreshToken,
        for target: TokenTarget? = nil,
        previous: IDToken?,
        of subject: String? = nil,
        dpopKey: DPoPKey?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async throws -> RefreshResponse {
        let start = settings.now()
        let grant = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.unredacted)]
        let response = try await TokenEndpoint(provider: self)
            .exchange(grant + (target?.form ?? []), dpopKey: dpopKey, sendGuard: sendGuard)
        let before = previous.flatMap { try? UnverifiedJWT($0).claims }
        let user = before?.subject ?? subject
        do throws(IDTokenError) {
            // An unreadable ID token names no other user.
            if let idToken = response.idToken, let claims = try? UnverifiedJWT(idToken).claims {
                try idTokenValidator.checkNamesNoOther(claims, than: user, before)
            }
        } catch {
            return .mismatched(OpenIDError(.token, .idToken(error))) {
                await revoke(response, keeping: refreshToken)
            }
        }
        let tokens: TokenSet
        do throws(OpenIDError) {
            tokens = try response.tokens(requestedAt: start, idToken: nil)
        } catch {
            guard let rotated = response.refreshToken else { throw error }
            return .rotated(rotated, error)
        }
        guard response.idToken != nil || response.hasMalformedIDToken else { return .tokens(tokens, nil) }
        let expected = IDTokenExpectations(
            accessToken: tokens.accessToken,
            offset: response.offset,
            subject: user,
            previous: before
        )
        return .tokens(tokens, RefreshedIDToken(provider: self, idToken: response.idToken, expected: expected))
    }
}

/// The content of a provider's response to a refresh.
package enum RefreshResponse: Sendable {
    /// The new tokens without an ID token, and the ID token, which is to be verified once the tokens are stored.
    ///
    /// A value that the provider omitted is nil.
    case tokens(TokenSet, RefreshedIDToken?)
    /// A new refresh token, and the reason that the response has no usable access token. Secret.
    case rotated(RefreshToken, OpenIDError)
    /// The ID token names another issuer, user or client.
    ///
    /// `revocation` revokes the response's tokens; the caller runs it concurrently with other work.
    case mismatched(OpenIDError, revocation: @Sendable () async -> Void)
}
