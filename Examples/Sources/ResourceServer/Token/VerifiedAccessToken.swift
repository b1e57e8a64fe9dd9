// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a verified access token, without the token itself.
public struct VerifiedAccessToken: Sendable, Equatable {
    /// The issuer's identifier of the user, or of the client if there is no user.
    ///
    /// Wire: `sub`.
    public let subject: String
    /// The client that got the token; nil if the token doesn't name it.
    ///
    /// Wire: `client_id`.
    public let clientID: String?
    /// The granted scope.
    public let scope: Set<String>
    /// The expiry.
    public let expires: Date
    /// The authentication context of the sign-in; nil if unknown.
    ///
    /// Wire: `acr`. [RFC 9470, 6](https://www.rfc-editor.org/rfc/rfc9470#section-6).
    public let authenticationContext: String?
    /// The time of the sign-in; nil if unknown.
    ///
    /// Wire: `auth_time`.
    public let authenticated: Date?
    /// The thumbprint of the DPoP key that the token is bound to; nil for a bearer token.
    ///
    /// Wire: `cnf.jkt`. [RFC 9449, 6.1](https://www.rfc-editor.org/rfc/rfc9449#section-6.1).
    public let keyThumbprint: String?

    init(_ claims: AccessTokenClaims) {
        subject = claims.sub
        clientID = claims.clientID
        scope = Set((claims.scope ?? "").split(separator: " ").map(String.init))
        expires = Date(timeIntervalSince1970: claims.exp)
        authenticationContext = claims.acr
        authenticated = claims.authTime.map { Date(timeIntervalSince1970: $0) }
        keyThumbprint = claims.cnf?.jkt
    }
}
