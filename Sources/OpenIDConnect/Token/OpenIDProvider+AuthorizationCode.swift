// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenIDProvider {
    /// Exchanges an authorization code for tokens, whose ID token, if the provider issues any, was verified.
    ///
    /// A code can be used only once: it is sent again only if the provider refuses the DPoP proof, or the client's
    /// assertion because of a wrong clock. [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
    public func tokens(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> OpenIDTokens {
        try await tokens(for: response, to: request, mayShareGrant: false)
    }

    /// Exchanges a code as ``tokens(for:to:)``, and doesn't revoke tokens that may share a grant with a session's,
    /// because that could end the session.
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

    /// Returns tokens with a valid ID token; revokes others, unless they may share a grant with a session's.
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

    /// Revokes tokens that will not be used, if the provider supports it; a cancelled caller doesn't wait for it.
    ///
    /// A provider that doesn't rotate may return the refresh token that the request has shown. It then still belongs to
    /// the session and is not revoked.
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
