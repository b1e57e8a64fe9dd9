// SPDX-License-Identifier: Apache-2.0

/// An OAuth error code, such as `invalid_grant`.
///
/// An open set: specifications and providers add to it.
///
/// Wire: `error`. [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
public struct OAuthErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code on the wire.
    public let rawValue: String

    /// Creates a code from its wire value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code or the token was used, has expired, was revoked, or belongs to another client.
    public static let invalidGrant = OAuthErrorCode(rawValue: "invalid_grant")
    /// The client is unknown, or its authentication failed.
    public static let invalidClient = OAuthErrorCode(rawValue: "invalid_client")
    /// The client must not use this grant.
    public static let unauthorizedClient = OAuthErrorCode(rawValue: "unauthorized_client")
    /// The provider doesn't support this grant.
    public static let unsupportedGrantType = OAuthErrorCode(rawValue: "unsupported_grant_type")
    /// A scope is unknown, or exceeds the granted scopes.
    public static let invalidScope = OAuthErrorCode(rawValue: "invalid_scope")
    /// The request lacks a parameter, or a parameter is invalid.
    public static let invalidRequest = OAuthErrorCode(rawValue: "invalid_request")
    /// The user or the provider denied the request.
    public static let accessDenied = OAuthErrorCode(rawValue: "access_denied")
    /// The user has not decided yet.
    ///
    /// [RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public static let authorizationPending = OAuthErrorCode(rawValue: "authorization_pending")
    /// The client polls too often.
    ///
    /// [RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public static let slowDown = OAuthErrorCode(rawValue: "slow_down")
    /// The user denied the request on another device, at Microsoft.
    public static let authorizationDeclined = OAuthErrorCode(rawValue: "authorization_declined")
    /// The user must sign in at the provider, which a request with `prompt=none` excludes.
    ///
    /// [OpenID Connect Core 1.0, 3.1.2.6](https://openid.net/specs/openid-connect-core-1_0.html#AuthError).
    public static let loginRequired = OAuthErrorCode(rawValue: "login_required")
    /// The provider must show a page, which a request with `prompt=none` excludes.
    public static let interactionRequired = OAuthErrorCode(rawValue: "interaction_required")
    /// The user must consent, which a request with `prompt=none` excludes.
    public static let consentRequired = OAuthErrorCode(rawValue: "consent_required")
    /// The user must choose an account, which a request with `prompt=none` excludes.
    public static let accountSelectionRequired = OAuthErrorCode(rawValue: "account_selection_required")
    /// The provider can't authenticate the user as `acr_values` or `max_age` requires.
    ///
    /// [OpenID Connect Core Error Code unmet_authentication_requirements
    /// 1.0](https://openid.net/specs/openid-connect-unmet-authentication-requirements-1_0.html).
    public static let unmetAuthenticationRequirements = OAuthErrorCode(rawValue: "unmet_authentication_requirements")
    /// The access token is invalid or has expired.
    ///
    /// [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
    public static let invalidToken = OAuthErrorCode(rawValue: "invalid_token")
    /// The device code has expired.
    ///
    /// [RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public static let expiredToken = OAuthErrorCode(rawValue: "expired_token")
    /// The DPoP proof lacks the server's nonce.
    ///
    /// [RFC 9449, 8](https://www.rfc-editor.org/rfc/rfc9449#section-8).
    public static let useDPoPNonce = OAuthErrorCode(rawValue: "use_dpop_nonce")
    /// The DPoP proof is invalid: it has the wrong key, request or time.
    ///
    /// [RFC 9449, 5](https://www.rfc-editor.org/rfc/rfc9449#section-5).
    public static let invalidDPoPProof = OAuthErrorCode(rawValue: "invalid_dpop_proof")
    /// The server can't revoke tokens of this kind.
    ///
    /// [RFC 7009, 2.2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.2.1).
    public static let unsupportedTokenType = OAuthErrorCode(rawValue: "unsupported_token_type")

    /// The codes above.
    static let known: Set = [
        invalidGrant, invalidClient, unauthorizedClient, invalidScope, invalidRequest, accessDenied,
        authorizationPending, slowDown, expiredToken, useDPoPNonce, invalidDPoPProof, unsupportedTokenType,
        unsupportedGrantType, authorizationDeclined, loginRequired, interactionRequired, consentRequired,
        accountSelectionRequired, unmetAuthenticationRequirements,
        invalidToken,
    ]

    /// The code on the wire.
    public var description: String { rawValue }
}
