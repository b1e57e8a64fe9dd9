import AuthCore
import HTTPTypes

/// What an app calls with its access token.
extension ProviderState {
    /// Says whose token it is, and what was asked.
    mutating func api(_ exchange: Exchange) throws(OAuthRefusal) -> ProviderAnswer {
        let token = try accessToken(exchange)
        return ProviderAnswer([
            "sub": .string(families[token.family].person.subject),
            "scope": .string(token.scope.description),
            "method": .string(exchange.request.method.rawValue),
            "path": .string(exchange.request.path),
        ])
    }
}
