package import AuthCore
import Logging

extension OpenIDProvider {
    /// Asks for new tokens.
    ///
    /// An ID token in the answer must name the same issuer, subject and audience, and be signed; where the provider's keys
    /// can't be had, it is left out of the answer, and the tokens are taken: they came over TLS from the token endpoint,
    /// and with them thrown away, a session would be lost for a key set.
    ///
    /// - Parameters:
    ///   - refreshToken: What is asked for with. Secret.
    ///   - previous: The last ID token, which was verified; nil where there was none. Secret.
    ///   - proofKey: What the tokens are bound to; nil for bearer tokens.
    ///   - isInTime: Asked when the request is about to leave.
    /// - Returns: The tokens; what the provider omitted is missing.
    /// - Throws: ``TokenEndpointError``; `CancellationError`.
    ///
    /// Wire: `grant_type=refresh_token`. [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6),
    /// [OpenID Connect Core 1.0, 12](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokens).
    package func refreshed(
        with refreshToken: RefreshToken,
        previous: IDToken?,
        boundTo proofKey: DPoPKey?,
        leavingWhile isInTime: @escaping @Sendable () -> Bool
    ) async throws -> OpenIDTokens {
        let start = settings.now()
        let grant = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.unredacted)]
        let answer = try await TokenEndpoint(provider: self)
            .exchange(grant, boundTo: proofKey, leavingWhile: isInTime)
        guard let idToken = answer.idToken else {
            return OpenIDTokens(tokens: answer.tokens(requestedAt: start, idToken: nil), idToken: nil)
        }
        let expected = IDTokenExpectations(
            accessToken: answer.accessToken,
            previous: previous.flatMap { try? UnverifiedJWT($0).claims },
            offset: answer.offset
        )
        do {
            let verified = try await idTokenValidator.validate(idToken, expecting: expected)
            return OpenIDTokens(tokens: answer.tokens(requestedAt: start, idToken: idToken), idToken: verified)
        } catch let error as IDTokenError where error.code == .keysUnavailable {
            // What it says is looked at all the same: of another person's tokens nothing is taken.
            try checkUnsigned(idToken, expecting: expected)
            settings.logger.warning("the provider's keys can't be had; its new ID token is not kept")
            return OpenIDTokens(tokens: answer.tokens(requestedAt: start, idToken: nil), idToken: nil)
        } catch let error as IDTokenError {
            throw TokenEndpointError(.invalidIDToken, underlying: error)
        }
    }

    private func checkUnsigned(
        _ idToken: IDToken,
        expecting expected: IDTokenExpectations
    ) throws(TokenEndpointError) {
        let validator = idTokenValidator
        do throws(IDTokenError) {
            let (token, algorithm) = try validator.signature.read(idToken.unredacted)
            try validator.check(token.claims, signedWith: algorithm, expecting: expected)
        } catch {
            throw TokenEndpointError(.invalidIDToken, underlying: error)
        }
    }
}
