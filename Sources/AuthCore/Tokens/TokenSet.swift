// SPDX-License-Identifier: Apache-2.0

/// The tokens of one session, from one token response or merged from several.
///
/// A printed token set shows no token.
public struct TokenSet: Sendable, Equatable {
    /// The credential of requests to protected resources.
    ///
    /// Secret.
    ///
    /// Wire: `access_token`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var accessToken: AccessToken
    /// The times of the access token's issue and end.
    ///
    /// Wire: `expires_in`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var lifetime: TokenLifetime
    /// The token with which a client requests a new access token, if the server issued one.
    ///
    /// Secret.
    ///
    /// Wire: `refresh_token`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var refreshToken: RefreshToken?
    /// The ID token, if the server issued one.
    ///
    /// Its presence does not mean that it was verified. Secret.
    ///
    /// Wire: `id_token`.
    /// [OpenID Connect Core 1.0, 3.1.3.3](https://openid.net/specs/openid-connect-core-1_0.html#TokenResponse).
    public var idToken: IDToken?
    /// The scope of the access token, as the server granted it.
    ///
    /// Nil if the server did not say. Then the requested scope was granted.
    ///
    /// Wire: `scope`. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    public var scope: Scope?
    /// The private key that the tokens are bound to; nil for bearer tokens.
    ///
    /// Each request carries a DPoP proof signed by it.
    ///
    /// Secret. [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
    package var dpopKeyBytes: SecretBytes?
    /// The APIs that the access token was requested for; empty if the request named none.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    package var resources: [String] = []

    /// Creates a token set.
    ///
    /// - Parameters:
    ///   - accessToken: The credential of requests to protected resources. Secret.
    ///   - lifetime: The times of the access token's issue and end.
    ///   - refreshToken: The refresh token, if the server issued one. Secret.
    ///   - idToken: The ID token, if the server issued one. Secret.
    ///   - scope: The granted scope; nil if the server did not say.
    public init(
        accessToken: AccessToken,
        lifetime: TokenLifetime,
        refreshToken: RefreshToken? = nil,
        idToken: IDToken? = nil,
        scope: Scope? = nil
    ) {
        self.accessToken = accessToken
        self.lifetime = lifetime
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.scope = scope
    }

    /// Returns this set after a refresh, which keeps the values that the token response omits.
    ///
    /// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6): a server that issues no new refresh token
    /// leaves the old one in force, and an omitted scope means the scope is unchanged.
    ///
    /// - Parameter response: The token response to the refresh.
    /// - Returns: The response's access token and lifetime; its other values if present, else this set's; this set's
    ///   DPoP key and the APIs of its sign-in.
    package func merging(_ response: TokenSet) -> TokenSet {
        var merged = TokenSet(
            accessToken: response.accessToken,
            lifetime: response.lifetime,
            refreshToken: response.refreshToken ?? refreshToken,
            idToken: response.idToken ?? idToken,
            scope: response.scope ?? scope
        )
        merged.dpopKeyBytes = dpopKeyBytes
        merged.resources = resources
        return merged
    }
}
