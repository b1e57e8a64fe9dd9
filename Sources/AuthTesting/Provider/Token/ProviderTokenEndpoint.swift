// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
extension ProviderState {
    mutating func token(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        let form = try exchange.request.form()
        let client = try authenticate(exchange, form)
        guard let name = form["grant_type"] else { throw .invalidRequest("The grant type is missing.") }
        guard let type = GrantType(rawValue: name) else {
            throw EndpointError("unsupported_grant_type", "The grant type is unknown.")
        }
        try client.checkGrant(type)
        // Before a grant is consumed: the client repeats the request if its proof lacks the nonce.
        let key = try proof(exchange)?.key
        guard key != nil || !client.requiresDPoP else { throw ReceivedDPoPProof.refusal("It is missing.") }
        let ask = TokenRequest(form: form, client: client, dpopThumbprint: key, exchange: exchange)
        switch type {
        case .authorizationCode: return EndpointResponse(try redeemCode(ask))
        case .refreshToken: return EndpointResponse(try refresh(ask))
        case .deviceCode: return EndpointResponse(try pollDevice(ask))
        case .clientCredentials: return EndpointResponse(try issueToClient(ask))
        case .tokenExchange: return EndpointResponse(try exchangeToken(ask))
        case .jwtBearer: return EndpointResponse(try redeemAssertion(ask))
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
    func required(_ name: String) throws(EndpointError) -> String {
        guard let value = form[name] else { throw .invalidRequest("The parameter \(name) is missing.") }
        return value
    }

    var audiences: [String] { form["audience"].map { [$0] } ?? [] }

    /// Returns the scope, which must not exceed the granted one, and is the granted one if it is missing.
    func scope(within granted: Scope) throws(EndpointError) -> Scope {
        let scope = form["scope"].map { Scope($0) } ?? granted
        guard Set(scope.values).isSubset(of: granted.values) else {
            throw EndpointError("invalid_scope", "A scope was not granted.")
        }
        return scope
    }
}
