// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The grants without a user: they issue an access token and no refresh token.
extension ProviderState {
    /// Issues an access token to the client itself, which must be confidential.
    ///
    /// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
    mutating func issueToClient(_ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        guard ask.client.authentication != .none else {
            throw EndpointError("unauthorized_client", "A public client is not allowed to use this grant type.")
        }
        // RFC 9068, 2.2: the subject is the client.
        return try issue(toProgram: ask.client.id, ask)
    }

    /// Issues an access token for an assertion of a trusted issuer.
    ///
    /// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
    mutating func redeemAssertion(_ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        guard let claims = trustedClaims(try ask.required("assertion"), at: ask.exchange.date) else {
            throw .invalidGrant("The assertion is not accepted.")
        }
        // Google reads the scope from the assertion.
        return try issue(toProgram: claims.subject ?? claims.issuer ?? "", ask, asserted: claims["scope"]?.string)
    }

    /// Issues an access token for a program's identity token, or for another API in a sign-in's name.
    ///
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    mutating func exchangeToken(_ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        let accessToken = "urn:ietf:params:oauth:token-type:access_token"
        let shown = try ask.required("subject_token")
        let type = try ask.required("subject_token_type")
        let isIdentity = type == "urn:ietf:params:oauth:token-type:jwt"
        guard isIdentity || type == accessToken, ask.form["requested_token_type"] ?? accessToken == accessToken else {
            throw .invalidRequest("Tokens of this type are not exchanged.")
        }
        var response = try isIdentity ? exchange(identity: shown, ask) : exchange(accessToken: shown, ask)
        response["issued_token_type"] = .string(accessToken)
        return response
    }

    private mutating func exchange(identity: String, _ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        guard let claims = trustedClaims(identity, at: ask.exchange.date) else {
            throw .invalidRequest("The subject token is invalid.")
        }
        return try issue(toProgram: claims.subject ?? claims.issuer ?? "", ask)
    }

    private mutating func exchange(
        accessToken: String,
        _ ask: TokenRequest
    ) throws(EndpointError) -> [String: JSONValue] {
        guard let subject = accessTokens[accessToken], ask.exchange.date < subject.expiration,
            families[subject.family].end == nil, families[subject.family].clientID == ask.client.id
        else { throw .invalidRequest("The subject token is invalid.") }
        guard subject.dpopThumbprint == ask.dpopThumbprint else {
            throw EndpointError("invalid_dpop_proof", "The proof is not by the subject token's key.")
        }
        // RFC 8693, 2.2.2.
        guard Set(ask.audiences).isSubset(of: ask.client.exchangeAudiences) else { throw .invalidTarget }
        return try accessTokenResponse(subject.family, ask.scope(within: subject.scope), ask)
    }

    private mutating func issue(
        toProgram subject: String,
        _ ask: TokenRequest,
        asserted: String? = nil
    ) throws(EndpointError) -> [String: JSONValue] {
        // No user has signed in, and RFC 6749, 4.4.3: a refresh token SHOULD NOT be included.
        let grantable = Set(configuration.scope.values).subtracting(["openid", "offline_access"])
        let scope = Scope(ask.form["scope"] ?? asserted ?? "")
        guard Set(scope.values).isSubset(of: grantable) else {
            throw EndpointError("invalid_scope", "A scope can't be granted to a client.")
        }
        let user = InProcessProvider.User(subject: subject, name: nil, email: nil)
        let resources = try resources(ask.form) + ask.audiences
        return try issue(begin(ask, user, scope, signedIn: ask.exchange.date, resources: resources), ask)
    }
}
