package import AuthCore
import Logging

extension OpenIDProvider {
    /// Asks for new tokens.
    ///
    /// An ID token in the answer must name the same issuer, subject and audience, or the answer is refused whole. It is
    /// looked at and not kept: it came over TLS from the token endpoint, which is enough for that (Core, 3.1.3.7, 6), and
    /// a refresh must not wait for a key set, nor lose a session for one, while the only copy of the new tokens is here.
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
        try checkIdentity(idToken, previous: previous)
        return OpenIDTokens(tokens: answer.tokens(requestedAt: start, idToken: nil), idToken: nil)
    }

    /// Core, 12.2: whom it is about, whose it is and whom for are what they were.
    private func checkIdentity(_ idToken: IDToken, previous: IDToken?) throws(TokenEndpointError) {
        guard let claims = try? UnverifiedJWT(idToken).claims else {
            settings.logger.warning("the provider's new ID token can't be read; it is not kept")
            return
        }
        do throws(IDTokenError) {
            try idTokenValidator.checkIdentity(claims, previous: previous.flatMap { try? UnverifiedJWT($0).claims })
        } catch {
            throw TokenEndpointError(.invalidIDToken, underlying: error)
        }
    }
}
