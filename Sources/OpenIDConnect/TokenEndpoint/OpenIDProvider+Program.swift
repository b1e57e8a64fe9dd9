// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

extension OpenIDProvider {
    /// Requests a token of a program itself, without a user.
    ///
    /// The same request may be sent again at any time. A refresh token in the response is dropped, because the grant
    /// gets the next token, too.
    ///
    /// - Parameters:
    ///   - target: The API that the token is for, and its scope; an empty target for the server's choice.
    ///   - dpopKey: The key that the token is bound to; nil for a bearer token.
    /// - Returns: The access token, with the requested scope if the response names none. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// Wire: `grant_type=client_credentials`, or that of the grant.
    /// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
    public func tokens(
        for target: TokenTarget,
        by grant: ProgramGrant = .clientCredentials,
        dpopKey: DPoPKey? = nil
    ) async throws -> TokenSet {
        let start = settings.now()
        let form = try await grant.form(at: self) + target.form
        let response = try await TokenEndpoint(provider: self).exchange(form, dpopKey: dpopKey)
        // RFC 8693, 2.2.1. Other grants name no type.
        guard TokenType.usable.contains(response.issuedTokenType) else { throw OpenIDError(.token, .invalidResponse) }
        var tokens = try response.tokens(requestedAt: start, idToken: nil)
        // RFC 6749, 4.4.3: SHOULD NOT be included.
        tokens.refreshToken = nil
        tokens.scope = tokens.scope ?? target.scope
        return tokens
    }
}
