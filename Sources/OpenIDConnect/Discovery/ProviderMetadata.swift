public import APIClient

/// What a provider says of itself, as far as it was checked here.
///
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata).
public struct ProviderMetadata: Sendable, Hashable {
    /// The provider; the same as the one asked for.
    public let issuer: Issuer
    /// Where the person is sent.
    ///
    /// Wire: `authorization_endpoint`.
    public let authorizationEndpoint: BaseURL
    /// Where codes become tokens.
    ///
    /// Wire: `token_endpoint`.
    public let tokenEndpoint: BaseURL

    /// Asks a provider for its metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider.
    ///   - transport: What carries the request; nil for the platform's.
    /// - Returns: The metadata, its issuer compared exactly with the one asked for.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    public static func discover(issuer: Issuer, transport: (any Transport)? = nil) async throws -> ProviderMetadata {
        let client = APIClient(baseURL: issuer.baseURL, transport: transport, timeout: .seconds(15))
        let document: Document
        do {
            document = try await client.send(.get("/.well-known/openid-configuration", options: .anonymous))
        } catch let error as APIError {
            throw DiscoveryError(error.code == .unreadableAnswer ? .unreadable : .unreachable, underlying: error)
        }
        // OpenID Connect Discovery 1.0, 4.3: the issuer MUST be identical to the one the document was asked from.
        guard document.issuer == issuer.identifier else { throw DiscoveryError(.issuerMismatch) }
        return ProviderMetadata(
            issuer: issuer,
            authorizationEndpoint: try endpoint(document.authorization_endpoint, "authorization_endpoint", of: issuer),
            tokenEndpoint: try endpoint(document.token_endpoint, "token_endpoint", of: issuer)
        )
    }

    private static func endpoint(_ text: String?, _ member: String, of issuer: Issuer) throws -> BaseURL {
        guard let text else { throw DiscoveryError(.missingMember, member: member) }
        do {
            return try BaseURL(text, insecureHTTP: issuer.insecureHTTP)
        } catch {
            throw DiscoveryError(.invalidMember, member: member, underlying: error)
        }
    }

    private struct Document: Decodable {
        let issuer: String
        let authorization_endpoint: String?
        let token_endpoint: String?
    }
}
