// SPDX-License-Identifier: Apache-2.0

/// An OAuth error code, such as `invalid_grant`; an open set, because specifications and providers add to it
/// ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
public struct OAuthErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

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
    static let authorizationPending = OAuthErrorCode(rawValue: "authorization_pending")
    static let slowDown = OAuthErrorCode(rawValue: "slow_down")
    /// The user denied the request on another device, at Microsoft.
    static let authorizationDeclined = OAuthErrorCode(rawValue: "authorization_declined")
    /// The user must sign in at the provider, which a request with `prompt=none` excludes (Core, 3.1.2.6).
    public static let loginRequired = OAuthErrorCode(rawValue: "login_required")
    /// The provider must show a page, which a request with `prompt=none` excludes.
    public static let interactionRequired = OAuthErrorCode(rawValue: "interaction_required")
    /// The user must consent, which a request with `prompt=none` excludes.
    public static let consentRequired = OAuthErrorCode(rawValue: "consent_required")
    /// The user must choose an account, which a request with `prompt=none` excludes.
    public static let accountSelectionRequired = OAuthErrorCode(rawValue: "account_selection_required")
    /// The provider can't authenticate the user as `acr_values` or `max_age` requires.
    public static let unmetAuthenticationRequirements = OAuthErrorCode(rawValue: "unmet_authentication_requirements")
    /// The access token is invalid or has expired (RFC 6750, 3.1).
    public static let invalidToken = OAuthErrorCode(rawValue: "invalid_token")
    static let expiredToken = OAuthErrorCode(rawValue: "expired_token")
    static let useDPoPNonce = OAuthErrorCode(rawValue: "use_dpop_nonce")
    static let invalidDPoPProof = OAuthErrorCode(rawValue: "invalid_dpop_proof")
    static let unsupportedTokenType = OAuthErrorCode(rawValue: "unsupported_token_type")

    static let known: Set = [
        invalidGrant, invalidClient, unauthorizedClient, invalidScope, invalidRequest, accessDenied,
        authorizationPending, slowDown, expiredToken, useDPoPNonce, invalidDPoPProof, unsupportedTokenType,
        unsupportedGrantType, authorizationDeclined, loginRequired, interactionRequired, consentRequired,
        accountSelectionRequired, unmetAuthenticationRequirements,
        invalidToken,
    ]

    public var description: String { rawValue }
}
