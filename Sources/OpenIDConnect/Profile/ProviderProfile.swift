// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The known behavior of a provider that the specifications leave open, or that deviates from them.
///
/// A profile is data: parameters and rules for the same code. The issuer of a known provider brings its profile by
/// itself; an app can also make its own, or change a known one, and give it to ``Issuer/init(_:insecureHTTP:profile:)``.
/// A rule that accepts more than the specifications names what else it accepts, and accepts nothing else.
public struct ProviderProfile: Sendable, Hashable {
    /// The effect of a refresh on its refresh token.
    public enum Rotation: Sendable, Hashable {
        /// The refresh token stays valid, so a refresh whose response was lost can be sent again at any time.
        case keepsToken
        /// The refresh token is used up; the provider accepts it again within `graceWindow`, never if nil.
        case rotates(graceWindow: Duration?)
    }

    /// The name, as in `sallyport login --provider`.
    public var name: String
    /// The rule by which documents and tokens must name the issuer.
    public var issuerRule = IssuerRule.exact
    /// The scopes of a sign-in for which the app names none, without `offline_access`.
    public var scope: Scope = "openid profile email"
    /// Whether `offline_access` is added to ``scope``, if `scopes_supported` lists it or an OpenID provider lists no
    /// scopes.
    public var requestsOfflineAccess = true
    /// Whether `offline_access` is sent with `prompt=consent` (Core, 11), and the parameters of ``offlineParameters`` too.
    public var asksForConsent = true
    /// The parameters that request a refresh token in place of `offline_access`; the app's own take precedence.
    public var offlineParameters: [String: String] = [:]
    /// The scopes that a token response doesn't name although they are granted.
    public var unreportedScopes: Set<String> = []
    /// The short names of scopes that the provider grants under other names.
    public var scopeAliases: [String: String] = [:]
    /// Whether the scopes in a token response are separated by commas, too.
    public var separatesScopesByCommas = false
    /// The APIs that every access token is for, if the app names none: `resource` in each request (RFC 8707).
    ///
    /// A stored session for other APIs, or for none, is not restored: an update of an app that changes these asks its users
    /// to sign in.
    public var resources: [String] = []
    /// The redirect URI that the provider accepts for an app on this machine.
    public var redirect = RedirectRule()
    /// The beginning of the scopes of the API that the userinfo endpoint belongs to; nil if every access token is for it.
    ///
    /// A token with any other scope than these and short names is for another API: a refusal causes no refresh.
    public var userInfoScopePrefix: String?
    /// Whether the end session endpoint follows RP-Initiated Logout 1.0; if not, it is not used.
    public var supportsEndSession = true
    /// Whether the client sends its secret in the device flow.
    public var sendsSecretInDeviceFlow = true
    /// The preferred way to send a client secret, if the provider's metadata don't exclude it.
    public var secretMethod = ClientAuthentication.Method.basic
    /// The effect of a refresh on its refresh token; `ProviderSettings.refreshGraceWindow` takes precedence.
    public var rotation = Rotation.rotates(graceWindow: nil)
    /// Whether a refresh for fewer scopes takes the others from the refresh token, and ends the last access token.
    public var refreshNarrowsScope = false
    /// The error codes by which the token endpoint ends a session, beside `invalid_grant`.
    public var endedSessionCodes: Set<String> = []

    /// Creates a profile that follows the specifications.
    public init(name: String) {
        self.name = name
    }

    /// The redirect URI that a provider accepts for an app on this machine (RFC 8252, 7.3).
    public struct RedirectRule: Sendable, Hashable, Codable {
        /// Whether the host must be `localhost` and not an address.
        public var usesLocalhost = false
        /// The path to register.
        public var path = "/callback"
        /// The port to register, for a provider that compares it; 0 if the provider accepts any port.
        public var port = 0

        /// Creates the rule of RFC 8252: an address with any port.
        public init() {}
    }
}

/// The rule by which a provider's documents and tokens must name its issuer.
public enum IssuerRule: Sendable, Hashable {
    /// Byte for byte (OpenID Connect Discovery 1.0, 4.3).
    case exact
    /// Byte for byte, but an ID token may omit `https://`, and only that.
    ///
    /// Google documents both forms. Accepted for `https://accounts.google.com` alone.
    case optionalScheme
    /// Microsoft's: an address for several tenants publishes an issuer with the placeholder `{tenantid}`, and a token
    /// names the tenant in `iss` and `tid`.
    ///
    /// Accepted only for issuers of the form `ORIGIN/TENANT/v2.0`, from that origin. A key may be limited to one issuer.
    case tenant
}
