public import APIClient
public import AuthCore

/// The parameters of a request for a token of a program itself, without a user.
///
/// They are the same for each ``ProgramGrant``.
/// [RFC 6749, 4.4.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.4.2).
public struct ClientCredentialsParameters: Sendable, Hashable {
    /// The scope of the token; nil for the server's default.
    ///
    /// Wire: `scope`.
    public var scope: Scope?
    /// The API that the token is for, as Auth0 and others name it; nil to send none.
    ///
    /// Wire: `audience`.
    public var audience: String?
    /// The absolute URLs of the APIs that the token is for.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public var resources: [String]

    /// Creates parameters.
    ///
    /// - Parameters:
    ///   - scope: The scope of the token; nil for the server's default.
    ///   - audience: The API that the token is for; nil to send none.
    ///   - resources: The absolute URLs of the APIs that the token is for.
    public init(scope: Scope? = nil, audience: String? = nil, resources: [String] = []) {
        self.scope = scope
        self.audience = audience
        self.resources = resources
    }

    /// The form's fields without those of the grant and of the client.
    var form: [(String, String)] {
        var form: [(String, String)] = []
        if let scope { form.append(("scope", scope.description)) }
        if let audience { form.append(("audience", audience)) }
        return form + resources.map { ("resource", $0) }
    }
}

extension OpenIDProvider {
    /// Requests a token of a program itself.
    ///
    /// The same request may be sent again at any time. A refresh token in the response is dropped, because the grant
    /// gets the next token, too.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the request.
    ///   - grant: The grant of the request.
    ///   - dpopKey: The key that the token is bound to; nil for a bearer token.
    /// - Returns: The access token, with the requested scope if the response names none. Secret.
    /// - Throws: ``TokenEndpointError`` (`refused` with `invalidClient` or `unauthorizedClient`: the client may not use
    ///   this grant; `unreachable` if no response came; `invalidResponse` if the issued token is not an access token);
    ///   ``ClientAssertionError`` if an assertion can't be signed or an identity token can't be read, and no request was
    ///   sent; `CancellationError`.
    ///
    /// Wire: `grant_type=client_credentials`, or that of the grant.
    /// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
    public func tokens(
        for parameters: ClientCredentialsParameters,
        by grant: ProgramGrant = .clientCredentials,
        dpopKey: DPoPKey? = nil
    ) async throws -> TokenSet {
        let start = settings.now()
        let form = try await grant.form(at: self) + parameters.form
        let response = try await TokenEndpoint(provider: self).exchange(form, dpopKey: dpopKey)
        // RFC 8693, 2.2.1. Other grants name no type.
        guard TokenType.usable.contains(response.issuedTokenType) else { throw TokenEndpointError(.invalidResponse) }
        var tokens = try response.tokens(requestedAt: start, idToken: nil)
        // RFC 6749, 4.4.3: SHOULD NOT be included.
        tokens.refreshToken = nil
        tokens.scope = tokens.scope ?? parameters.scope
        return tokens
    }
}
