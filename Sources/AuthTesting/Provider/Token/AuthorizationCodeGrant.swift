// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
extension ProviderState {
    /// Exchanges an authorization code for tokens.
    mutating func redeemCode(_ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        let text = try ask.required("code")
        guard let code = codes[text], code.request.clientID == ask.client.id else {
            throw OAuthError("invalid_grant", "The code is unknown.")
        }
        if let family = code.family {
            // RFC 6749, 4.1.2: a second use means that one of the two parties stole the code.
            end(family, because: .codeReused)
            throw OAuthError("invalid_grant", "The code was used before.")
        }
        guard ask.exchange.date < code.expiration else {
            codes[text] = nil
            throw OAuthError("invalid_grant", "The code has expired.")
        }
        guard try ask.required("redirect_uri") == code.request.redirectURI else {
            throw OAuthError("invalid_grant", "The redirect URI is not the authorization request's.")
        }
        let verifier = try ask.required("code_verifier")
        // RFC 7636, 4.6.
        guard (43...128).contains(verifier.utf8.count),
            Base64URL.encode(SHA256.hash(data: Data(verifier.utf8))) == code.request.codeChallenge
        else { throw OAuthError("invalid_grant", "The code verifier does not match the code challenge.") }
        guard code.request.dpopThumbprint.map({ $0 == ask.dpopThumbprint }) ?? true else {
            throw OAuthError("invalid_grant", "The code is bound to another DPoP key.")
        }
        let asked = try resources(ask.form)
        guard Set(asked).isSubset(of: code.request.resources) else {
            throw OAuthError("invalid_target", "A resource was not authorized.")
        }
        let family = begin(
            RefreshTokenFamily(
                clientID: ask.client.id,
                user: code.user,
                scope: code.request.scope,
                signedIn: code.signedIn,
                authenticationContext: code.request.authenticationContext,
                resources: asked.isEmpty ? code.request.resources : asked,
                claims: code.request.claims,
                dpopThumbprint: ask.dpopThumbprint
            )
        )
        codes[text]?.family = family
        return try issue(family, ask, nonce: code.request.nonce)
    }
}
