public import APIClient
public import AuthCore

/// The target of a token exchange: the API that another access token is for.
///
/// [RFC 8693, 2.1](https://www.rfc-editor.org/rfc/rfc8693#section-2.1).
public struct TokenExchange: Sendable, Hashable {
    /// The names that the provider knows APIs by; empty if it needs none.
    ///
    /// Wire: `audience`.
    public var audiences: [String]
    /// The absolute URLs of APIs; empty if the provider needs none.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public var resources: [String]
    /// The scope of the new token; nil for the provider's choice.
    ///
    /// Wire: `scope`.
    public var scope: Scope?

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - audiences: The names that the provider knows APIs by.
    ///   - resources: The absolute URLs of APIs.
    ///   - scope: The scope of the new token; nil for the provider's choice.
    public init(audiences: [String] = [], resources: [String] = [], scope: Scope? = nil) {
        self.audiences = audiences
        self.resources = resources
        self.scope = scope
    }

    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    /// The types of tokens that can be used as an access token; nil from a server that omits the type.
    fileprivate static let usableTypes: Set<String?> = [
        accessTokenType, "urn:ietf:params:oauth:token-type:jwt", nil,
    ]

    /// The form's fields that exchange an access token.
    ///
    /// Secret.
    func form(with subject: AccessToken) -> [(String, String)] {
        var form = [
            ("grant_type", TokenEndpoint.tokenExchangeGrant),
            ("subject_token", subject.unredacted),
            ("subject_token_type", Self.accessTokenType),
            ("requested_token_type", Self.accessTokenType),
        ]
        form += audiences.map { ("audience", $0) } + resources.map { ("resource", $0) }
        if let scope { form.append(("scope", scope.description)) }
        return form
    }
}

extension OpenIDProvider {
    /// Exchanges an access token for one that is for another API.
    ///
    /// The old token stays valid. A refresh token in the response is dropped.
    ///
    /// - Parameters:
    ///   - token: The access token. Secret.
    ///   - target: The API that the new token is for.
    ///   - dpopKey: The key that both tokens are bound to; nil for bearer tokens.
    /// - Returns: The new token, which is bound to the key if there is one. Secret.
    /// - Throws: ``TokenEndpointError``, `refused` with the provider's code if the exchange is not allowed, and
    ///   `invalidResponse` if the new token is not an access token, or not bound to the key; `CancellationError`.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:token-exchange`.
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    package func exchanged(
        _ token: AccessToken,
        for target: TokenExchange,
        dpopKey: DPoPKey?
    ) async throws -> ExchangedToken {
        let start = settings.now()
        let response = try await TokenEndpoint(provider: self).exchange(target.form(with: token), dpopKey: dpopKey)
        guard TokenExchange.usableTypes.contains(response.issuedTokenType) else {
            throw TokenEndpointError(.invalidResponse)
        }
        let tokens = try response.tokens(requestedAt: start, idToken: nil)
        let new = tokens.accessToken
        return ExchangedToken(
            credential: dpopKey.map { AccessCredential(new, key: $0, proofs: proofs) } ?? AccessCredential(new),
            lifetime: tokens.lifetime,
            scope: tokens.scope
        )
    }
}

/// An access token for another API, from a token exchange.
///
/// It can authorize requests until it expires or the API rejects it; then it throws `APIError` (`unauthorized`), and
/// another exchange gets the next one.
public struct ExchangedToken: Sendable, AccessTokenSource {
    private let credential: AccessCredential
    /// The times at which the token was issued and expires, by the wall clock.
    public let lifetime: TokenLifetime
    /// The scope of the token, as far as the provider names it.
    public let scope: Scope?

    init(credential: AccessCredential, lifetime: TokenLifetime, scope: Scope?) {
        (self.credential, self.lifetime, self.scope) = (credential, lifetime, scope)
    }

    /// The token.
    ///
    /// Secret.
    public var accessToken: AccessToken { credential.accessToken }

    /// The token with all that a request needs to present it.
    ///
    /// Secret.
    public var freshCredential: AccessCredential? { credential }

    /// Returns the token with all that a request needs to present it.
    public func credential() async throws -> AccessCredential { credential }

    /// Throws, because the token is the only one.
    ///
    /// - Parameter rejected: The token that the server rejected. Secret.
    /// - Returns: Never.
    /// - Throws: `APIError` (`unauthorized`).
    public func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        throw APIError(.unauthorized, status: 401)
    }
}
