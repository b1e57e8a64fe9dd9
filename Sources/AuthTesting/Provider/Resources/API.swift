// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// The protected resource that an app calls with its access token.
extension ProviderState {
    /// Responds with the token's subject and the request.
    mutating func api(_ exchange: Exchange) throws(OAuthError) -> EndpointResponse {
        let token = try accessToken(exchange)
        return EndpointResponse([
            "sub": .string(families[token.family].user.subject),
            "scope": .string(token.scope.description),
            "method": .string(exchange.request.method.rawValue),
            "path": .string(exchange.request.path),
        ])
    }
}
