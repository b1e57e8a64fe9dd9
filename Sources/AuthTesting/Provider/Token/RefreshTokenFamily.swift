// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The tokens of one sign-in: the current refresh token, and those it replaced.
///
/// [RFC 9700, 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2).
struct RefreshTokenFamily: Sendable {
    /// The reasons for the end of a family.
    enum End: Sendable {
        case codeReused
        case refreshTokenReused
        case revoked
    }

    /// The refresh token that was replaced last, with the response that replaced it.
    struct Rotation: Sendable {
        let replaced: String
        let date: Date
        let response: [String: JSONValue]
    }

    let clientID: String
    let user: InProcessProvider.User
    let scope: Scope
    let signedIn: Date
    let authenticationContext: String?
    let resources: [String]
    let claims: RequestedClaims
    /// The thumbprint of the sign-in's DPoP key; nil for bearer tokens.
    let dpopThumbprint: String?
    var current: String?
    var expiration: Date?
    var rotation: Rotation?
    var refreshes = 0
    var end: End?
}

extension ProviderState {
    /// Adds a sign-in's family and returns its index.
    ///
    /// - Parameter request: The browser's request; nil if there was no browser.
    mutating func begin(
        _ ask: TokenRequest,
        _ user: InProcessProvider.User,
        _ scope: Scope,
        signedIn: Date,
        resources: [String],
        from request: CheckedAuthorizationRequest? = nil
    ) -> Int {
        families.append(
            RefreshTokenFamily(
                clientID: ask.client.id,
                user: user,
                scope: scope,
                signedIn: signedIn,
                authenticationContext: request?.authenticationContext,
                resources: resources,
                claims: request?.claims ?? RequestedClaims(),
                dpopThumbprint: ask.dpopThumbprint
            )
        )
        return families.count - 1
    }

    /// Ends a family and revokes all of its tokens.
    ///
    /// The first reason stays.
    mutating func end(_ index: Int, because end: RefreshTokenFamily.End) {
        if families[index].end == nil { families[index].end = end }
        accessTokens = accessTokens.filter { $0.value.family != index }
    }
}

/// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
extension ProviderState {
    /// Refreshes with rotation and a grace window, and ends the family if a replaced token is reused after the window.
    mutating func refresh(_ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        let shown = try ask.required("refresh_token")
        let date = ask.exchange.date
        guard let index = refreshTokens[shown], families[index].clientID == ask.client.id else {
            throw .invalidGrant("The refresh token is unknown.")
        }
        let family = families[index]
        guard family.end == nil else { throw .invalidGrant("The session has ended.") }
        // RFC 9449, 5: a public client's refresh token is bound to its key.
        guard ask.client.authentication != .none || [nil, ask.dpopThumbprint].contains(family.dpopThumbprint) else {
            throw .invalidGrant("The refresh token is bound to another DPoP key.")
        }
        guard shown == family.current else {
            if let rotation = family.rotation, rotation.replaced == shown,
                date <= rotation.date.adding(configuration.graceWindow)
            {
                return rotation.response
            }
            end(index, because: .refreshTokenReused)
            throw .invalidGrant("The refresh token was used before.")
        }
        guard family.expiration.map({ date < $0 }) ?? true else {
            throw .invalidGrant("The refresh token has expired.")
        }
        let scope = try ask.scope(within: family.scope)
        // RFC 8707, 2.2.
        let named = try resources(ask.form) + ask.audiences
        guard Set(named).isSubset(of: ask.client.exchangeAudiences.union(family.resources)) else {
            throw .invalidTarget
        }
        let response = try issue(index, ask, scope: scope, resources: named)
        families[index].refreshes += 1
        if configuration.rotatesRefreshTokens {
            families[index].rotation = RefreshTokenFamily.Rotation(replaced: shown, date: date, response: response)
        }
        return response
    }
}
