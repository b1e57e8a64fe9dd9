// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// [RFC 7009](https://www.rfc-editor.org/rfc/rfc7009).
extension ProviderState {
    /// Revokes a token: a refresh token with all tokens of its sign-in, an access token by itself.
    mutating func revocation(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        let form = try exchange.request.form()
        let client = try authenticate(exchange, form)
        guard let token = form["token"] else { throw .invalidRequest("The token is missing.") }
        let family = refreshTokens[token] ?? accessTokens[token]?.family
        // RFC 7009, 2.2: an unknown token counts as revoked.
        guard let family else { return EndpointResponse() }
        guard families[family].clientID == client.id else {
            throw .invalidRequest("The token belongs to another client.")
        }
        if refreshTokens[token] != nil {
            end(family, because: .revoked)
        } else {
            accessTokens[token] = nil
        }
        return EndpointResponse()
    }
}
