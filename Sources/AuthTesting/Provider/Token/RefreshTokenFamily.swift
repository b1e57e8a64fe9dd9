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
    /// Adds a family and returns its index.
    mutating func begin(_ family: RefreshTokenFamily) -> Int {
        families.append(family)
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
