// SPDX-License-Identifier: Apache-2.0

package import APIClient
package import AuthCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension OpenIDProvider {
    /// Requests new tokens with a refresh token.
    ///
    /// If the response's ID token, verified or not, names another issuer, user or client, the whole response is refused
    /// and its tokens must be revoked. An attacker that can change the ID token can change the tokens beside it, and a
    /// provider that confuses two users must not mix them in one session. Everything else about the ID token is
    /// verified when it is used (``verifiedIDToken(_:receivedAt:of:previous:user:)``): the only copy of the new tokens must
    /// not wait for a key set, nor be lost because the key set is unavailable.
    ///
    /// The target is nil for the API of the sign-in, and the previous ID token the session's last verified one.
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
        let idToken = response.idToken ?? (response.hasMalformedIDToken ? .unreadable : nil)
        return .tokens(tokens, idToken, receivedAt: settings.now() + response.offset.duration.timeInterval)
    }

    /// Verifies the ID token of a refresh as at a sign-in, and that user, nonce and authentication time match the
    /// session's.
    ///
    /// May fetch the provider's keys.
    ///
    /// - Parameters:
    ///   - idToken: The ID token. Secret.
    ///   - date: Its arrival by the provider's clock, at which it must have been valid.
    ///   - accessToken: The access token that came with it. Secret.
    ///   - previous: The session's last verified ID token; nil if there was none. Secret.
    ///   - user: The session's user, if there was none.
    /// - Returns: The token, verified. Secret.
    /// - Throws: ``IDTokenError`` (`keysUnavailable` if the keys can't be fetched now); `CancellationError`.
    package func verifiedIDToken(
        _ idToken: IDToken,
        receivedAt date: Date,
        of accessToken: AccessToken,
        previous: IDToken?,
        user: String?
    ) async throws -> IDToken {
        let before = previous.flatMap { try? UnverifiedJWT($0).claims }
        let expected = IDTokenExpectations(
            accessToken: accessToken,
            date: date,
            subject: before?.subject ?? user,
            previous: before
        )
        return try await idTokenValidator.validate(idToken, expecting: expected).idToken
    }
}

extension IDToken {
    /// What stands for a value that is no text, and that no verification accepts.
    fileprivate static var unreadable: IDToken? { try? IDToken("-") }
}

/// The content of a provider's response to a refresh.
package enum RefreshResponse: Sendable {
    /// The new tokens without an ID token, and the ID token, if any, which is to be verified when it is used, with its
    /// arrival by the provider's clock.
    case tokens(TokenSet, IDToken?, receivedAt: Date)
    /// A new refresh token, and the reason that the response has no usable access token. Secret.
    case rotated(RefreshToken, OpenIDError)
    /// The ID token names another issuer, user or client; the caller revokes the tokens concurrently with other work.
    case mismatched(OpenIDError, revocation: @Sendable () async -> Void)
}
