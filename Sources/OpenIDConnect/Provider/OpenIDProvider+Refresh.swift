package import AuthCore

extension OpenIDProvider {
    /// Asks for new tokens.
    ///
    /// If the response's ID token names another issuer, user or client, the whole response is refused and its tokens are
    /// revoked, verified or not: an attacker who can change the ID token can change the tokens beside it, and a provider
    /// that mixes up two users must not make one session of them. Everything else about the ID token is verified later, by
    /// ``RefreshedIDToken``: the only copy of the new tokens must not wait for a key set, nor be lost for want of one.
    ///
    /// - Parameters:
    ///   - refreshToken: What is asked for with. Secret.
    ///   - previous: The last ID token, which was verified; nil where there was none. Secret.
    ///   - subject: The user of the session, if no ID token says who it is.
    ///   - proofKey: What the tokens are bound to; nil for bearer tokens.
    ///   - isInTime: Asked when the request is about to leave.
    /// - Returns: The tokens without an ID token; what the provider omitted is missing. The ID token, to be verified once
    ///   the tokens are stored; nil if the response has none.
    /// - Throws: ``TokenEndpointError``; `CancellationError`.
    ///
    /// Wire: `grant_type=refresh_token`. [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6),
    /// [OpenID Connect Core 1.0, 12](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokens).
    package func refreshed(
        with refreshToken: RefreshToken,
        previous: IDToken?,
        of subject: String? = nil,
        boundTo proofKey: DPoPKey?,
        leavingWhile isInTime: @escaping @Sendable () -> Bool
    ) async throws -> (tokens: TokenSet, idToken: RefreshedIDToken?) {
        let start = settings.now()
        let grant = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.unredacted)]
        let answer = try await TokenEndpoint(provider: self)
            .exchange(grant, boundTo: proofKey, leavingWhile: isInTime)
        let before = previous.flatMap { try? UnverifiedJWT($0).claims }
        let expected = IDTokenExpectations(
            accessToken: answer.accessToken,
            offset: answer.offset,
            subject: before?.subject ?? subject,
            previous: before
        )
        do throws(IDTokenError) {
            // One that can't be read names nobody.
            if let idToken = answer.idToken, let claims = try? UnverifiedJWT(idToken).claims {
                try idTokenValidator.checkNamesNoOther(claims, than: expected.subject)
            }
        } catch {
            await takeBack(answer, insteadOf: refreshToken)
            throw TokenEndpointError(.invalidIDToken, underlying: error)
        }
        let tokens = answer.tokens(requestedAt: start, idToken: nil)
        guard answer.idToken != nil || answer.hasMalformedIDToken else { return (tokens, nil) }
        return (tokens, RefreshedIDToken(provider: self, idToken: answer.idToken, expected: expected))
    }
}
