// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
extension ProviderState {
    /// Issues an access token of the subject token's sign-in, without a refresh token.
    mutating func exchangeToken(_ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        let accessToken = "urn:ietf:params:oauth:token-type:access_token"
        let shown = try ask.required("subject_token")
        if ask.form["subject_token_type"] == "urn:ietf:params:oauth:token-type:jwt" {
            return try exchangeIdentity(shown, ask)
        }
        guard try ask.required("subject_token_type") == accessToken,
            ask.form["requested_token_type"].map({ $0 == accessToken }) ?? true
        else { throw OAuthError("invalid_request", "Tokens of this type are not exchanged.") }
        guard let subject = accessTokens[shown], ask.exchange.date < subject.expiration,
            families[subject.family].end == nil, families[subject.family].clientID == ask.client.id
        else { throw OAuthError("invalid_request", "The subject token is invalid.") }
        guard subject.dpopThumbprint == ask.dpopThumbprint else {
            throw OAuthError("invalid_dpop_proof", "The proof is not by the subject token's key.")
        }
        // RFC 8693, 2.2.2.
        let audiences = ask.form["audience"].map { [$0] } ?? []
        guard Set(audiences).isSubset(of: ask.client.exchangeAudiences) else {
            throw OAuthError("invalid_target", "The client may not call this API.")
        }
        let scope = ask.form["scope"].map { Scope($0) } ?? subject.scope
        guard Set(scope.values).isSubset(of: subject.scope.values) else {
            throw OAuthError("invalid_scope", "A scope was not granted.")
        }
        var response = try accessTokenResponse(subject.family, scope, ask)
        response["issued_token_type"] = .string(accessToken)
        return response
    }
}
