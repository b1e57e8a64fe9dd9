// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
extension ProviderState {
    /// Issues an access token to the client itself, which must be confidential.
    mutating func issueToClient(_ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        guard ask.client.authentication != .none else {
            throw OAuthError("unauthorized_client", "A public client is not allowed to use this grant type.")
        }
        // RFC 9068, 2.2: the subject is the client.
        return try issue(toProgram: ask.client.id, Scope(ask.form["scope"] ?? ""), ask)
    }

    /// Issues an access token to a program, without a refresh token.
    mutating func issue(
        toProgram subject: String,
        _ scope: Scope,
        _ ask: TokenRequest
    ) throws(OAuthError) -> [String: JSONValue] {
        // No user has signed in, and 4.4.3: a refresh token SHOULD NOT be included.
        let grantable = Set(configuration.scope.values).subtracting(["openid", "offline_access"])
        guard Set(scope.values).isSubset(of: grantable) else {
            throw OAuthError("invalid_scope", "A scope can't be granted to a client.")
        }
        let audience = ask.form["audience"].map { [$0] } ?? []
        let family = begin(
            RefreshTokenFamily(
                clientID: ask.client.id,
                user: InProcessProvider.User(subject: subject, name: nil, email: nil),
                scope: scope,
                signedIn: ask.exchange.date,
                authenticationContext: nil,
                resources: try resources(ask.form) + audience,
                claims: .none,
                dpopThumbprint: ask.dpopThumbprint
            )
        )
        return try issue(family, ask)
    }
}
