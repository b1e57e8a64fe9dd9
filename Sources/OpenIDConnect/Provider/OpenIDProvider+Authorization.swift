public import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenIDProvider {
    /// What the browser opens for a request: pushed where the provider wants it, or the app asks for it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - pushing: Whether the app asks for it.
    /// - Returns: The address. Holds the state: not for logs.
    /// - Throws: ``AuthorizationError`` (`invalidParameters`, `pushFailed`); `CancellationError`.
    public func authorizationURL(for request: AuthorizationRequest, pushing: Bool = false) async throws -> String {
        guard pushing || metadata.abilities.requiresPushedAuthorizationRequests else { return try request.url() }
        return try await PushedAuthorizationRequest(provider: self).url(for: request)
    }

    /// Exchanges an authorization code for tokens.
    ///
    /// Sent once and never repeated: a code is good for one use.
    ///
    /// - Parameters:
    ///   - response: The authorization response, already checked against the request.
    ///   - request: The request that it answers.
    /// - Returns: Tokens whose ID token was verified.
    /// - Throws: ``TokenEndpointError`` (`refused` with `invalidGrant`: the code was used, has expired, or is another
    ///   client's; `invalidIDToken`; `unreachable` where no answer came); `CancellationError`.
    ///
    /// Wire: `grant_type=authorization_code`. [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
    public func tokens(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> OpenIDTokens {
        let start = settings.now()
        let answer = try await exchange(response, request)
        let expected = IDTokenExpectations(
            nonce: request.nonce,
            accessToken: answer.accessToken,
            maximumAge: request.parameters.maximumAge,
            offset: answer.offset
        )
        return try await verified(answer, requestedAt: start, expecting: expected)
    }

    /// Exchanges an authorization code for an ID token, which is *not* verified here.
    ///
    /// For who hands the ID token on to a backend that verifies it. Sent once and never repeated: a code is good for
    /// one use.
    ///
    /// - Parameters:
    ///   - response: The authorization response, already checked against the request.
    ///   - request: The request that it answers.
    /// - Returns: The ID token, unverified. Secret.
    /// - Throws: ``TokenEndpointError`` (`refused` with the provider's code; `invalidIDToken` where the answer has none;
    ///   `unreachable`); `CancellationError`.
    ///
    /// Wire: `grant_type=authorization_code`. [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
    public func unverifiedIDToken(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> IDToken {
        guard let idToken = try await exchange(response, request).idToken else {
            throw TokenEndpointError(.invalidIDToken, underlying: IDTokenError(.missing))
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
        // RFC 8707, 2.2: what the code is for, the access token is for.
        let resources = request.parameters.resources.map { ("resource", $0) }
        return try await TokenEndpoint(provider: self).exchange(grant + resources, boundTo: request.proofKey)
    }

    /// The tokens of a sign-in, whose ID token there must be and must be right.
    func verified(
        _ answer: TokenResponse,
        requestedAt start: Date,
        expecting expected: IDTokenExpectations
    ) async throws -> OpenIDTokens {
        do {
            // Core, 3.1.3.3: REQUIRED.
            guard let idToken = answer.idToken else {
                throw IDTokenError(answer.hasMalformedIDToken ? .malformed : .missing)
            }
            let verified = try await idTokenValidator.validate(idToken, expecting: expected)
            return OpenIDTokens(tokens: answer.tokens(requestedAt: start, idToken: idToken), idToken: verified)
        } catch {
            await takeBack(answer)
            guard let error = error as? IDTokenError else { throw error }
            throw TokenEndpointError(.invalidIDToken, underlying: error)
        }
    }

    /// Asks the provider to take tokens back that nobody will use, as far as it can be asked.
    ///
    /// A cancelled caller does not wait for it.
    ///
    /// - Parameters:
    ///   - answer: The tokens.
    ///   - shown: The refresh token that they were asked for with. A provider that does not rotate may repeat it, and it is
    ///     still the session's.
    func takeBack(_ answer: TokenResponse, insteadOf shown: RefreshToken? = nil) async {
        guard takesTokensBack else { return }
        let revoking = Task {
            do {
                if let refreshToken = answer.refreshToken, refreshToken != shown {
                    try await revoke(refreshToken)
                } else {
                    try await revoke(answer.accessToken)
                }
            } catch {
                settings.logger.debug("tokens of a response that was refused could not be revoked")
            }
        }
        if !Task.isCancelled { await revoking.value }
    }
}
