// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The provider's record of an access token.
struct IssuedAccessToken: Sendable {
    let family: Int
    let scope: Scope
    /// The APIs that the token is for; empty for those of the sign-in.
    let resources: [String]
    let expiration: Date
    /// The thumbprint of the DPoP key that the token is bound to; nil for a bearer token.
    let dpopThumbprint: String?
}

/// [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
extension ProviderState {
    /// Issues tokens of a family.
    mutating func issue(
        _ index: Int,
        _ ask: TokenRequest,
        scope: Scope? = nil,
        resources: [String] = [],
        nonce: String? = nil
    ) throws(EndpointError) -> [String: JSONValue] {
        let family = families[index]
        let scope = scope ?? family.scope
        var response = try accessTokenResponse(index, scope, ask, resources: resources)
        let accessToken = response["access_token"]?.string ?? ""
        if let refreshToken = makeRefreshToken(index, ask) { response["refresh_token"] = .string(refreshToken) }
        if scope.contains("openid") {
            let idToken = try makeIDToken(family, scope, ask, nonce: nonce, accessToken: accessToken)
            response["id_token"] = .string(idToken)
        }
        return response
    }

    /// Issues an access token alone.
    mutating func accessTokenResponse(
        _ index: Int,
        _ scope: Scope,
        _ ask: TokenRequest,
        resources: [String] = []
    ) throws(EndpointError) -> [String: JSONValue] {
        let issued = IssuedAccessToken(
            family: index,
            scope: scope,
            resources: resources,
            expiration: ask.exchange.date.adding(configuration.accessTokenLifetime),
            dpopThumbprint: ask.dpopThumbprint
        )
        let token: String
        switch configuration.accessTokenFormat {
        case .opaque:
            token = makeSecret()
        case .jwt:
            let claims = claims(of: issued, at: ask.exchange.date)
            token = try sign(claims, type: "at+jwt", with: try keys.key(nil), for: ask.client, AppliedFaults())
            secrets.append(token)
        }
        accessTokens[token] = issued
        return [
            "access_token": .string(token),
            "token_type": .string(ask.dpopThumbprint == nil ? "Bearer" : "DPoP"),
            "expires_in": .seconds(configuration.accessTokenLifetime),
            "scope": .string(scope.description),
        ]
    }

    /// Returns a new refresh token; nil if the sign-in may not have one, or if the old token stays.
    private mutating func makeRefreshToken(_ index: Int, _ ask: TokenRequest) -> String? {
        guard families[index].scope.contains("offline_access"),
            ask.client.grantTypes.contains(.refreshToken),
            families[index].current == nil || configuration.rotatesRefreshTokens
        else { return nil }
        let token = makeSecret()
        refreshTokens[token] = index
        families[index].current = token
        families[index].expiration = ask.exchange.date.adding(configuration.refreshTokenLifetime)
        return token
    }

    /// Returns the claims of an access token: [RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2).
    private func claims(of issued: IssuedAccessToken, at date: Date) -> [String: JSONValue] {
        let family = families[issued.family]
        let named = issued.resources.isEmpty ? family.resources : issued.resources
        let resources = named.isEmpty ? [address.issuer] : named
        var claims: [String: JSONValue] = [
            "iss": .string(address.issuer),
            "sub": .string(family.user.subject),
            "aud": resources.count == 1 ? .string(resources[0]) : .strings(resources),
            "client_id": .string(family.clientID),
            "scope": .string(issued.scope.description),
            "iat": .numericDate(date),
            "exp": .numericDate(issued.expiration),
            "jti": .string(Base64URL.encode(RandomBytes.make(16))),
        ]
        // RFC 9449, 6.1.
        if let key = issued.dpopThumbprint { claims["cnf"] = .object(["jkt": .string(key)]) }
        return claims
    }

    /// Creates an ID token.
    ///
    /// [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
    private mutating func makeIDToken(
        _ family: RefreshTokenFamily,
        _ scope: Scope,
        _ ask: TokenRequest,
        nonce: String?,
        accessToken: String
    ) throws(EndpointError) -> String {
        let key = try keys.key(ask.client.idTokenAlgorithm)
        let date = ask.exchange.date
        var claims = family.user.claims(for: scope, and: family.claims.idToken)
        if !configuration.includesClaimsInIDToken { claims = claims.filter { family.claims.idToken.contains($0.key) } }
        claims["iss"] = .string(address.issuer)
        claims["sub"] = .string(family.user.subject)
        claims["aud"] = .string(family.clientID)
        claims["iat"] = .numericDate(date)
        claims["exp"] = .numericDate(date.adding(configuration.idTokenLifetime))
        claims["auth_time"] = .numericDate(family.signedIn)
        claims["at_hash"] = .string(key.halfHash(of: accessToken))
        if let nonce { claims["nonce"] = .string(nonce) }
        if let context = family.authenticationContext { claims["acr"] = .string(context) }
        let token = try sign(claims, with: key, for: ask.client, ask.exchange.faults)
        secrets.append(token)
        idTokens[token] = family.clientID
        return token
    }
}
