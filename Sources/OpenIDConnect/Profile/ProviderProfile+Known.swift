// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

extension ProviderProfile {
    /// The profile of a provider that follows the specifications.
    public static let standard = ProviderProfile(name: "standard")

    /// The port in the redirect URI of a provider that compares it, free on most machines.
    private static let fixedPort = 8_484

    /// Google: `https://accounts.google.com`.
    public static let google: ProviderProfile = {
        var profile = ProviderProfile(name: "google")
        profile.issuerRule = .optionalScheme
        // Google refuses `offline_access` on its own page. It issues a refresh token after a consent only.
        profile.requestsOfflineAccess = false
        profile.offlineParameters = ["access_type": "offline"]
        profile.scopeAliases = [
            "https://www.googleapis.com/auth/userinfo.email": "email",
            "https://www.googleapis.com/auth/userinfo.profile": "profile",
        ]
        profile.secretMethod = .post
        profile.rotation = .keepsToken
        return profile
    }()

    /// Microsoft Entra ID and Microsoft accounts: `https://login.microsoftonline.com/TENANT/v2.0`.
    public static let microsoft: ProviderProfile = {
        var profile = ProviderProfile(name: "microsoft")
        profile.issuerRule = .tenant
        // Consent is requested if it is missing, and one value of `prompt` is accepted at a time.
        profile.asksForConsent = false
        profile.redirect.usesLocalhost = true
        profile.redirect.path = ""
        profile.userInfoScopePrefix = "https://graph.microsoft.com/"
        // A response names the scopes of one API.
        profile.unreportedScopes = ["openid", "profile", "email", "offline_access"]
        profile.secretMethod = .post
        profile.rotation = .keepsToken
        return profile
    }()

    /// Auth0: `https://TENANT.auth0.com/`, with the slash.
    public static let auth0: ProviderProfile = {
        var profile = ProviderProfile(name: "auth0")
        profile.asksForConsent = false
        profile.redirect.port = fixedPort
        // Auth0's device authorization endpoint refuses every client secret.
        profile.sendsSecretInDeviceFlow = false
        profile.secretMethod = .post
        return profile
    }()

    /// Okta: `https://DOMAIN` or `https://DOMAIN/oauth2/ID`.
    public static let okta: ProviderProfile = {
        var profile = ProviderProfile(name: "okta")
        profile.asksForConsent = false
        profile.redirect.port = fixedPort
        return profile
    }()

    /// Keycloak: `https://HOST/realms/REALM`.
    public static let keycloak: ProviderProfile = {
        var profile = ProviderProfile(name: "keycloak")
        // A refresh token comes without it. With it, the session would be kept for months, and listed as offline.
        profile.requestsOfflineAccess = false
        return profile
    }()

    /// Amazon Cognito: `https://cognito-idp.REGION.amazonaws.com/POOL`.
    public static let cognito: ProviderProfile = {
        var profile = ProviderProfile(name: "cognito")
        // An unknown scope at Cognito. A refresh token always comes.
        profile.requestsOfflineAccess = false
        // Its endpoint shows an error without parameters of its own.
        profile.supportsEndSession = false
        profile.redirect.usesLocalhost = true
        profile.redirect.port = fixedPort
        return profile
    }()

    /// GitLab: `https://gitlab.com`, or the address of an instance.
    public static let gitlab: ProviderProfile = {
        var profile = ProviderProfile(name: "gitlab")
        // Unknown at GitLab. A refresh token always comes.
        profile.requestsOfflineAccess = false
        profile.refreshNarrowsScope = true
        return profile
    }()

    /// GitHub, which speaks OAuth 2.0 without OpenID Connect: ``OpenIDProvider/github(client:server:settings:)``.
    public static let github: ProviderProfile = {
        var profile = ProviderProfile(name: "github")
        profile.scope = "read:user user:email"
        profile.requestsOfflineAccess = false
        // GitHub needs no secret in the device flow.
        profile.sendsSecretInDeviceFlow = false
        profile.secretMethod = .post
        profile.separatesScopesByCommas = true
        profile.endedSessionCodes = ["bad_refresh_token"]
        return profile
    }()

    /// The profiles of known providers.
    public static let known = [google, microsoft, auth0, okta, keycloak, cognito, gitlab, github]

    /// Returns a known profile; nil if the name is unknown.
    public static func named(_ name: String) -> ProviderProfile? { known.first { $0.name == name } }

    /// Returns the profile that an issuer brings by itself; ``standard`` if it is of no known provider.
    static func of(_ issuer: BaseURL) -> ProviderProfile {
        // Keycloak has no host of its own, but a path. Its profile accepts nothing that the specifications refuse.
        let segments = issuer.pathPrefix.split(separator: "/")
        if segments.count >= 2, segments[segments.count - 2] == "realms" { return keycloak }
        // The profile of a service holds only for an origin that the service alone can have.
        guard issuer.scheme == "https" else { return standard }
        let authority = issuer.authority
        switch authority {
        case "accounts.google.com": return google
        case "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn":
            return microsoft
        case "gitlab.com": return gitlab
        case "github.com": return github
        default: break
        }
        if authority.hasSuffix(".auth0.com") { return auth0 }
        if [".okta.com", ".oktapreview.com", ".okta-emea.com"].contains(where: authority.hasSuffix) { return okta }
        if authority.hasPrefix("cognito-idp."), authority.hasSuffix(".amazonaws.com") { return cognito }
        return standard
    }
}
