public import APIClient
public import AuthCore

/// Where an authorization code becomes tokens.
///
/// [RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
public struct TokenEndpoint: Sendable {
    private let client: APIClient

    /// Makes an endpoint of a provider's.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - transport: What carries the request; nil for the platform's.
    public init(of provider: ProviderMetadata, transport: (any Transport)? = nil) {
        client = APIClient(baseURL: provider.tokenEndpoint, transport: transport)
    }

    /// Exchanges an authorization code for an ID token, which is *not* verified here.
    ///
    /// For who hands the ID token on to a backend that verifies it. Sent once and never repeated: a code is good for
    /// one use.
    ///
    /// - Parameters:
    ///   - response: The authorization response, already checked against the request.
    ///   - request: The request that it answers.
    /// - Returns: The ID token, unverified. Secret.
    /// - Throws: ``APIError`` (`refused` with the provider's code; `unreadableAnswer` where the answer has no ID token;
    ///   `unreachable`); `CancellationError`.
    ///
    /// Wire: `grant_type=authorization_code`. [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
    public func unverifiedIDToken(
        for response: AuthorizationResponse,
        to request: AuthorizationRequest
    ) async throws -> IDToken {
        let form = [
            QueryItem(name: "grant_type", value: "authorization_code"),
            QueryItem(name: "code", value: response.code),
            QueryItem(name: "redirect_uri", value: request.redirectURI),
            QueryItem(name: "client_id", value: request.clientID),
            QueryItem(name: "code_verifier", value: request.codeVerifier.unredacted),
        ]
        let answer: Answer = try await client.send(.post("", form: form, options: .anonymous))
        do {
            return try IDToken(answer.id_token)
        } catch {
            throw APIError(.unreadableAnswer, underlying: error)
        }
    }

    private struct Answer: Decodable {
        let id_token: String
    }
}
