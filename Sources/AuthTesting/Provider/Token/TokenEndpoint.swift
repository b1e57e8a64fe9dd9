// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
extension ProviderState {
    mutating func token(_ exchange: Exchange) throws(OAuthError) -> EndpointResponse {
        let form = try exchange.request.form()
        let client = try authenticate(exchange, form)
        guard let type = form["grant_type"] else {
            throw OAuthError("invalid_request", "The grant type is missing.")
        }
        guard GrantType.all.contains(type) else {
            throw OAuthError("unsupported_grant_type", "The grant type is unknown.")
        }
        guard client.grantTypes.contains(type) else {
            throw OAuthError("unauthorized_client", "The client is not allowed to use this grant type.")
        }
        // Before a grant is consumed: the client repeats the request if its proof lacks the nonce.
        let key = try dpopThumbprint(exchange, for: client, isRequired: client.requiresDPoP)
        let ask = TokenRequest(form: form, client: client, dpopThumbprint: key, exchange: exchange)
        switch type {
        case GrantType.authorizationCode: return EndpointResponse(try redeemCode(ask))
        case GrantType.refreshToken: return EndpointResponse(try refresh(ask))
        case GrantType.clientCredentials: return EndpointResponse(try issueToClient(ask))
        case GrantType.jwtBearer: return EndpointResponse(try redeemAssertion(ask))
        case GrantType.tokenExchange: return EndpointResponse(try exchangeToken(ask))
        default: return EndpointResponse(try pollDevice(ask))
        }
    }
}

/// A token request from an authenticated client.
struct TokenRequest: Sendable {
    let form: Parameters
    let client: InProcessProvider.Client
    /// The thumbprint of the DPoP proof's key; nil if the request has no proof.
    let dpopThumbprint: String?
    let exchange: Exchange

    /// Returns a parameter that must be present.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = form[name] else { throw OAuthError("invalid_request", "The parameter \(name) is missing.") }
        return value
    }
}
