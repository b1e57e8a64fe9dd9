public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a provider gave for a grant, verified.
public struct OpenIDTokens: Sendable {
    /// The tokens; what the provider omitted is missing.
    public let tokens: TokenSet
    /// The ID token in them, verified; nil where there is none.
    public let idToken: VerifiedIDToken?
}

extension TokenResponse {
    /// The tokens, their lifetime counted from the start of the request.
    func tokens(requestedAt start: Date, idToken: IDToken?) -> TokenSet {
        let lifetime: TokenLifetime
        if let expiresIn {
            lifetime = TokenLifetime(expiresIn: expiresIn, from: start)
        } else if let claims = try? UnverifiedJWT(accessToken.unredacted).claims {
            // RFC 9068: many access tokens say themselves when they end.
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
