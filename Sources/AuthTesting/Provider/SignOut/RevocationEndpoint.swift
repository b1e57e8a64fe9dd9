import AuthCore
import HTTPTypes

/// [RFC 7009](https://www.rfc-editor.org/rfc/rfc7009).
extension ProviderState {
    /// Revokes a token: a refresh token with all that grew out of its sign-in, an access token alone.
    mutating func revocation(_ exchange: Exchange) throws(OAuthRefusal) -> ProviderAnswer {
        let form = try exchange.request.form()
        let client = try authenticate(exchange.request, form)
        guard let token = form["token"] else { throw OAuthRefusal("invalid_request", "There is no token.") }
        let family = refreshTokens[token] ?? accessTokens[token]?.family
        // RFC 7009, 2.2: what is not known is as good as revoked.
        guard let family else { return ProviderAnswer() }
        guard families[family].clientID == client.id else {
            throw OAuthRefusal("invalid_request", "The token is another client's.")
        }
        if refreshTokens[token] != nil {
            end(family, because: .revoked)
        } else {
            accessTokens[token] = nil
        }
        return ProviderAnswer()
    }
}
