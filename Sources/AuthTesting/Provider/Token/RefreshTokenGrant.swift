// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
extension ProviderState {
    /// Refreshes with rotation and a grace window, and ends the family if a replaced token is reused after the window.
    mutating func refresh(_ ask: TokenRequest) throws(OAuthError) -> [String: JSONValue] {
        let shown = try ask.required("refresh_token")
        let date = ask.exchange.date
        guard let index = refreshTokens[shown], families[index].clientID == ask.client.id else {
            throw OAuthError("invalid_grant", "The refresh token is unknown.")
        }
        let family = families[index]
        guard family.end == nil else { throw OAuthError("invalid_grant", "The session has ended.") }
        // RFC 9449, 5: a public client's refresh token is bound to its key.
        guard ask.client.authentication != .none || [nil, ask.dpopThumbprint].contains(family.dpopThumbprint) else {
            throw OAuthError("invalid_grant", "The refresh token is bound to another DPoP key.")
        }
        guard shown == family.current else {
            if let rotation = family.rotation, rotation.replaced == shown,
                date <= rotation.date.adding(configuration.graceWindow)
            {
                return rotation.response
            }
            end(index, because: .refreshTokenReused)
            throw OAuthError("invalid_grant", "The refresh token was used before.")
        }
        guard family.expiration.map({ date < $0 }) ?? true else {
            throw OAuthError("invalid_grant", "The refresh token has expired.")
        }
        let scope = ask.form["scope"].map { Scope($0) } ?? family.scope
        guard Set(scope.values).isSubset(of: family.scope.values) else {
            throw OAuthError("invalid_scope", "A scope was not granted.")
        }
        // RFC 8707, 2.2.
        let named = try resources(ask.form) + (ask.form["audience"].map { [$0] } ?? [])
        guard Set(named).isSubset(of: ask.client.exchangeAudiences.union(family.resources)) else {
            throw OAuthError("invalid_target", "The client may not call this API.")
        }
        let response = try issue(index, ask, scope: scope, resources: named)
        families[index].refreshes += 1
        if configuration.rotatesRefreshTokens {
            families[index].rotation = RefreshTokenFamily.Rotation(replaced: shown, date: date, response: response)
        }
        return response
    }
}
