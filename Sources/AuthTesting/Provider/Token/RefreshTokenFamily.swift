import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All that grew out of one sign-in: the refresh token of the moment, and what it replaced.
///
/// [RFC 9700, 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2).
struct RefreshTokenFamily: Sendable {
    /// Why nothing of it is good any more.
    enum End: Sendable {
        case codeReused
        case refreshTokenReused
        case revoked
    }

    /// The refresh token that was replaced last, and what replaced it.
    struct Rotation: Sendable {
        let replaced: String
        let date: Date
        let answer: [String: JSONValue]
    }

    let clientID: String
    let person: InProcessProvider.Person
    let scope: Scope
    let signedIn: Date
    let authenticationContext: String?
    let resources: [String]
    let claims: RequestedClaims
    /// The thumbprint of the DPoP key that the sign-in was made with; nil for none.
    let dpopKey: String?
    var current: String?
    var expiration: Date?
    var rotation: Rotation?
    var refreshes = 0
    var end: End?
}

extension ProviderState {
    /// Begins a family.
    mutating func begin(_ family: RefreshTokenFamily) -> Int {
        families.append(family)
        return families.count - 1
    }

    /// Ends a family: none of its tokens is good any more.
    ///
    /// The first reason stays.
    mutating func end(_ index: Int, because end: RefreshTokenFamily.End) {
        if families[index].end == nil { families[index].end = end }
        accessTokens = accessTokens.filter { $0.value.family != index }
    }
}
