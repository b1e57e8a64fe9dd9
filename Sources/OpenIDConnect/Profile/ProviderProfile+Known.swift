// SPDX-License-Identifier: Apache-2.0

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
        profile.offlineAccess = .never
        profile.offlineParameters = ["access_type": "offline"]
        profile.scopeAliases = [
            "https://www.googleapis.com/auth/userinfo.email": "email",
            "https://www.googleapis.com/auth/userinfo.profile": "profile",
        ]
        profile.secretMethod = .post
        profile.rotation = .keepsToken
        profile.advice.redirect = "A client of the type Desktop app needs no registered redirect URI"
        profile.advice.client = """
            Google takes this redirect for a client of the type Desktop app alone, with its client secret; for a device \
            code the type is TVs and Limited Input devices
            """
        profile.advice.scope = "Google refuses unknown scopes, offline_access among them"
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
        profile.userInfoAudience = .ownAPI(prefix: "https://graph.microsoft.com/")
        // A response names the scopes of one API.
        profile.unreportedScopes = ["openid", "profile", "email", "offline_access"]
        profile.secretMethod = .post
        profile.rotation = .keepsToken
        profile.advice.redirect = """
            Register http://localhost, without a port, under Authentication, Mobile and desktop applications; \
            127.0.0.1 is refused
            """
        profile.advice.client = """
            The app registration must allow the accounts of the tenant, and public client flows for a device code
            """
        profile.advice.scope = "A scope must exist, and a request can name the scopes of one API alone"
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
        profile.advice.redirect = "Add the whole address, with its port, to Allowed Callback URLs"
        profile.advice.client = "The application must be of the type Native"
        profile.advice.scope = "offline_access must be allowed for the API, in its settings"
        return profile
    }()

    /// Okta: `https://DOMAIN` or `https://DOMAIN/oauth2/ID`.
    public static let okta: ProviderProfile = {
        var profile = ProviderProfile(name: "okta")
        profile.asksForConsent = false
        profile.redirect.port = fixedPort
        profile.advice.redirect = "Add the whole address, with its port, to Sign-in redirect URIs"
        profile.advice.client = "The integration must be an OIDC Native Application, and assigned to the user"
        profile.advice.scope = "The authorization server must have the scope, and a policy that allows it"
        return profile
    }()

    /// Keycloak: `https://HOST/realms/REALM`.
    public static let keycloak: ProviderProfile = {
        var profile = ProviderProfile(name: "keycloak")
        // A refresh token comes without it. With it, the session would be kept for months, and listed as offline.
        profile.offlineAccess = .never
        profile.advice.redirect = "Add http://127.0.0.1/callback to Valid redirect URIs; any port is accepted then"
        profile.advice.client = "Client authentication must be off, and Standard flow on"
        profile.advice.scope = "The realm must have the scope as a client scope of this client"
        return profile
    }()

    /// Amazon Cognito: `https://cognito-idp.REGION.amazonaws.com/POOL`.
    public static let cognito: ProviderProfile = {
        var profile = ProviderProfile(name: "cognito")
        // An unknown scope at Cognito. A refresh token always comes.
        profile.offlineAccess = .never
        // Its endpoint shows an error without parameters of its own.
        profile.supportsEndSession = false
        profile.redirect.usesLocalhost = true
        profile.redirect.port = fixedPort
        profile.advice.redirect = """
            Add the whole address, with its port, to Allowed callback URLs; Cognito takes plain http for localhost alone
            """
        profile.advice.client = "The app client must be a public client, and allow the authorization code grant"
        profile.advice.scope = "The app client must allow each scope; offline_access is unknown to Cognito"
        return profile
    }()

    /// GitLab: `https://gitlab.com`, or the address of an instance.
    public static let gitlab: ProviderProfile = {
        var profile = ProviderProfile(name: "gitlab")
        // Unknown at GitLab. A refresh token always comes.
        profile.offlineAccess = .never
        profile.refreshNarrowsScope = true
        profile.advice.redirect = "Register http://127.0.0.1/callback as redirect URI; any port is accepted then"
        profile.advice.client = "The application must not be confidential"
        profile.advice.scope = "The application must have each scope; offline_access is unknown to GitLab"
        return profile
    }()

    /// GitHub, which speaks OAuth 2.0 without OpenID Connect: `OAuthProvider.github(client:server:settings:)`.
    public static let github: ProviderProfile = {
        var profile = ProviderProfile(name: "github")
        profile.scope = "read:user user:email"
        profile.offlineAccess = .never
        // GitHub needs no secret in the device flow.
        profile.sendsSecretInDeviceFlow = false
        profile.secretMethod = .post
        profile.separatesScopesByCommas = true
        profile.endedSessionCodes = ["bad_refresh_token"]
        profile.advice.redirect = "Register http://127.0.0.1/callback as callback URL; any port is accepted then"
        profile.advice.client = """
            The browser flow needs the client secret; the device flow must be switched on in the app's settings
            """
        profile.advice.scope = "GitHub drops scopes that it doesn't know"
        return profile
    }()

    /// The profiles of known providers.
    public static let known = [google, microsoft, auth0, okta, keycloak, cognito, gitlab, github]

    /// Returns a known profile.
    ///
    /// - Parameter name: The profile's name.
    /// - Returns: The profile; nil if the name is unknown.
    public static func named(_ name: String) -> ProviderProfile? { known.first { $0.name == name } }

    /// Returns the profile that an issuer brings by itself.
    ///
    /// - Parameters:
    ///   - scheme: The issuer's scheme, in lowercase.
    ///   - authority: The issuer's host in lowercase, with its port if it has one.
    ///   - path: The issuer's path, without a slash at its end.
    /// - Returns: The profile; ``standard`` if the issuer is of no known provider.
    static func of(scheme: String, authority: String, path: String) -> ProviderProfile {
        // Keycloak has no host of its own, but a path. Its profile accepts nothing that the specifications refuse.
        let segments = path.split(separator: "/")
        if segments.count >= 2, segments[segments.count - 2] == "realms" { return keycloak }
        // The profile of a service holds only for an origin that the service alone can have.
        guard scheme == "https" else { return standard }
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
