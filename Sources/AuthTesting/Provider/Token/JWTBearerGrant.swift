// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
extension ProviderState {
    /// Issues an access token for an assertion of a trusted issuer.
    mutating func redeemAssertion(_ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        guard let claims = trustedClaims(try ask.required("assertion"), at: ask.exchange.date) else {
            throw OAuthError("invalid_grant", "The assertion is not accepted.")
        }
        // Google reads the scope from the assertion.
        let scope = Scope(ask.form["scope"] ?? claims["scope"]?.string ?? "")
        return try issue(toProgram: claims.subject ?? claims.issuer ?? "", scope, ask)
    }

    /// Issues an access token for an identity token: [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    mutating func exchangeIdentity(_ token: String, _ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        let accessToken = "urn:ietf:params:oauth:token-type:access_token"
        guard ask.form["requested_token_type"].map({ $0 == accessToken }) ?? true,
            let claims = trustedClaims(token, at: ask.exchange.date)
        else { throw OAuthError("invalid_request", "The subject token is invalid.") }
        let scope = Scope(ask.form["scope"] ?? "")
        var response = try issue(toProgram: claims.subject ?? claims.issuer ?? "", scope, ask)
        response["issued_token_type"] = .string(accessToken)
        return response
    }

    /// Returns the claims of a token that a trusted issuer signed for this provider; nil if it is not valid now.
    ///
    /// Accepts ES256, with the issuer or the token endpoint as the audience. A token is accepted until it expires.
    func trustedClaims(_ text: String?, at date: Date) -> UnverifiedClaims? {
        guard let text, let token = try? UnverifiedJWT(text), token.header.algorithm == "ES256",
            let pem = token.claims.issuer.flatMap({ configuration.trustedIssuers[$0] }),
            let key = try? P256.Signing.PublicKey(pemRepresentation: pem), Self.isSigned(text, by: key)
        else { return nil }
        let claims = token.claims
        guard claims.audience == [address.issuer] || claims.audience == [address.url(.token)],
            let end = claims.expiration, date < end,
            claims.issuedAt.map({ $0 <= date.adding(.seconds(5)) }) ?? true
        else { return nil }
        return claims
    }
}
