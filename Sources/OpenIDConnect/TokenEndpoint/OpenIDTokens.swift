// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The verified tokens that a provider issued for a grant.
public struct OpenIDTokens: Sendable {
    /// The tokens; a value that the provider omitted is nil.
    public let tokens: TokenSet
    /// The verified ID token of `tokens`; nil if there is no ID token.
    public let idToken: VerifiedIDToken?
}

extension TokenResponse {
    /// Returns the tokens, with a lifetime that starts at the request.
    ///
    /// - Throws: ``OpenIDError``.
    func tokens(requestedAt start: Date, idToken: IDToken?) throws(OpenIDError) -> TokenSet {
        let accessToken = try access.get()
        let lifetime: TokenLifetime
        if let expiresIn {
            lifetime = TokenLifetime(expiresIn: expiresIn, from: start)
        } else if let claims = try? UnverifiedJWT(accessToken.unredacted).claims {
            // RFC 9068: many access tokens contain their own expiration.
            lifetime = TokenLifetime(claims: claims, from: start, offset: offset)
        } else {
            lifetime = TokenLifetime(expiresIn: nil, from: start)
        }
        return TokenSet(
            accessToken: accessToken,
            lifetime: lifetime,
            refreshToken: refreshToken,
            idToken: idToken,
            scope: scope
        )
    }
}
