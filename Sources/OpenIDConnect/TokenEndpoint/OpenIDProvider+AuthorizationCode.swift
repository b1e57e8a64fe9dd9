// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenIDProvider {
    /// Exchanges an authorization code for tokens.
    ///
    /// Sent once, because a code can be used only once. Sent again only if the provider refuses the DPoP proof, or the
    /// client's assertion because of a wrong clock.
    ///
    /// - Returns: Tokens whose ID token was verified; without one at a server without OpenID Connect.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// Wire: `grant_type=authorization_code`. [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
    public func tokens(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> OpenIDTokens {
        try await tokens(for: response, to: request, mayShareGrant: false)
    }

    /// Exchanges an authorization code for tokens, and revokes them if their ID token is rejected, unless they may
    /// share a grant with those of a session.
    ///
    /// - Parameter mayShareGrant: Whether they may. A revocation could then end the session.
    /// - Returns: Tokens whose ID token was verified.
    /// - Throws: As ``tokens(for:to:)``.
    package func tokens(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest,
        mayShareGrant: Bool
    ) async throws -> OpenIDTokens {
        let start = settings.now()
        let tokenResponse = try await exchange(response, request)
        guard metadata.issuesIDTokens else {
            return OpenIDTokens(tokens: try tokenResponse.tokens(requestedAt: start, idToken: nil), idToken: nil)
        }
        let expected = IDTokenExpectations(
            nonce: request.nonce,
            accessToken: try tokenResponse.access.get(),
            maximumAge: request.parameters.maximumAge,
            offset: tokenResponse.offset,
            mayShareGrant: mayShareGrant
        )
        return try await verified(tokenResponse, requestedAt: start, expecting: expected)
    }

    /// Exchanges an authorization code for an ID token *without* verifying it.
    ///
    /// Sent as in ``tokens(for:to:)``. The ID token is secret.
    func unverifiedIDToken(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> IDToken {
        guard let idToken = try await exchange(response, request).idToken else {
            throw OpenIDError(.token, .idToken(IDTokenError(.missing)))
        }
        return idToken
    }

    private func exchange(
        _ response: AuthorizationResponse,
        _ request: AuthorizationRequest
    ) async throws -> TokenResponse {
        let grant = [
            ("grant_type", "authorization_code"),
            ("code", response.code),
            ("redirect_uri", request.redirectURI),
            ("code_verifier", request.codeVerifier.unredacted),
        ]
        // RFC 8707, 2.2: requests an access token for the resources of the authorization request.
        let resources = request.parameters.resources.map { ("resource", $0) }
        return try await TokenEndpoint(provider: self).exchange(grant + resources, dpopKey: request.dpopKey)
    }

    /// Returns the tokens of a sign-in, which must contain a valid ID token; revokes them otherwise, unless they may
    /// share a grant with a session's.
    func verified(
        _ tokenResponse: TokenResponse,
        requestedAt start: Date,
        expecting expected: IDTokenExpectations
    ) async throws -> OpenIDTokens {
        do {
            // Core, 3.1.3.3: REQUIRED.
            guard let idToken = tokenResponse.idToken else {
                throw IDTokenError(tokenResponse.hasMalformedIDToken ? .malformed : .missing)
            }
            let verified = try await idTokenValidator.validate(idToken, expecting: expected)
            return OpenIDTokens(
                tokens: try tokenResponse.tokens(requestedAt: start, idToken: idToken),
                idToken: verified
            )
        } catch {
            if !expected.mayShareGrant { await revoke(tokenResponse) }
            guard let error = error as? IDTokenError else { throw error }
            throw OpenIDError(.token, .idToken(error))
        }
    }

    /// Revokes tokens that will not be used, if the provider supports it.
    ///
    /// A cancelled caller doesn't wait for the revocation.
    ///
    /// - Parameter shown: The refresh token that the request contained; nil if the request was not a refresh. A provider that
    ///   doesn't rotate may return it again. It then still belongs to the session and is not revoked.
    func revoke(_ tokenResponse: TokenResponse, keeping shown: RefreshToken? = nil) async {
        guard supportsRevocation else { return }
        let revoking = Task {
            do {
                if let refreshToken = tokenResponse.refreshToken, refreshToken != shown {
                    // RFC 7009, 2.1: revokes the access tokens of the same grant, too.
                    try await revoke(refreshToken)
                } else {
                    try await revoke(tokenResponse.access.get())
                }
            } catch {
                settings.logger.debug("the tokens of a rejected response could not be revoked")
            }
        }
        if !Task.isCancelled { await revoking.value }
    }
}
