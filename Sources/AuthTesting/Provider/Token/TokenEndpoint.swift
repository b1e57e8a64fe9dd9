import AuthCore
import HTTPTypes

/// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
extension ProviderState {
    mutating func token(_ exchange: Exchange) throws(OAuthRefusal) -> ProviderAnswer {
        let form = try exchange.request.form()
        let client = try authenticate(exchange.request, form)
        guard let type = form["grant_type"] else {
            throw OAuthRefusal("invalid_request", "There is no grant type.")
        }
        guard GrantType.all.contains(type) else {
            throw OAuthRefusal("unsupported_grant_type", "The grant type is not known.")
        }
        guard client.grantTypes.contains(type) else {
            throw OAuthRefusal("unauthorized_client", "The client may not use this grant type.")
        }
        // Before anything is used up: a proof without the nonce is sent again with it.
        let key = try dpopKey(exchange, for: client, isRequired: client.requiresDPoP)
        let ask = TokenRequest(form: form, client: client, dpopKey: key, exchange: exchange)
        switch type {
        case GrantType.authorizationCode: return ProviderAnswer(try redeemCode(ask))
        case GrantType.refreshToken: return ProviderAnswer(try refresh(ask))
        default: return ProviderAnswer(try pollDevice(ask))
        }
    }
}

/// A request for tokens whose client is who it says.
struct TokenRequest: Sendable {
    let form: Parameters
    let client: InProcessProvider.Client
    /// The thumbprint of the key that a DPoP proof was made with; nil where there was no proof.
    let dpopKey: String?
    let exchange: Exchange

    /// A parameter that must be there.
    func required(_ name: String) throws(OAuthRefusal) -> String {
        guard let value = form[name] else { throw OAuthRefusal("invalid_request", "The parameter \(name) is missing.") }
        return value
    }
}
