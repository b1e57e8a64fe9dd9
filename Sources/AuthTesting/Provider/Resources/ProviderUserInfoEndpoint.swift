// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// [OpenID Connect Core 1.0, 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo).
extension ProviderState {
    /// Responds with the user's claims, in JSON, or signed if the client is registered for it.
    mutating func userInfo(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        guard exchange.request.method == .get || exchange.request.method == .post else {
            throw EndpointError("invalid_request", "Only GET and POST are allowed.", status: 405)
        }
        let token = try accessToken(exchange)
        guard token.scope.contains("openid") else {
            throw EndpointError(
                "insufficient_scope",
                "The scope openid was not granted.",
                status: 403,
                fields: [.wwwAuthenticate: "Bearer error=\"insufficient_scope\", scope=\"openid\""]
            )
        }
        let family = families[token.family]
        var claims = family.user.claims(for: token.scope, and: family.claims.userInfo)
        guard let client = clients[family.clientID], let algorithm = client.userInfoAlgorithm else {
            return EndpointResponse(exchange.faults.applied(to: claims))
        }
        claims["iss"] = .string(address.issuer)
        claims["aud"] = .string(client.id)
        let text = try sign(claims, with: try keys.key(algorithm), for: client, exchange.faults)
        return EndpointResponse(content: .text(text, type: "application/jwt"))
    }
}
