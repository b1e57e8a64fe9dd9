// SPDX-License-Identifier: Apache-2.0

import AuthCore
import OpenIDConnect

/// The usual causes of a sign-in whose browser doesn't return, with the values that were sent.
///
/// A provider that refuses the redirect URI, the client or a scope shows its own page and does not redirect.
struct SignInHelp: Sendable {
    /// A value that the provider may have refused, by its name on the wire, with the provider's condition for it.
    struct Cause: Sendable {
        let name: String
        let value: String
        let advice: String
    }

    /// The values, in the order in which providers check them.
    let causes: [Cause]

    init(_ request: AuthorizationRequest) {
        let advice = Self.known[request.provider.issuer.profile.name] ?? Self.usual
        let scope = request.parameters.scope?.description ?? ""
        let all = [
            Cause(name: "client_id", value: request.clientID, advice: advice.client + "."),
            Cause(name: "redirect_uri", value: request.redirectURI, advice: advice.redirect + "."),
            Cause(name: "scope", value: scope, advice: advice.scope + "."),
        ]
        causes = all.filter { !$0.value.isEmpty }
    }

    private typealias Advice = (client: String, redirect: String, scope: String)

    private static let usual: Advice = (
        "The client must be registered as a native app, a public client",
        "The client's settings must list it; if the provider compares the port, use a fixed one",
        "The provider must offer each scope, and the client may request it"
    )

    /// The conditions of the known providers, by the names of their profiles.
    private static let known: [String: Advice] = [
        "google": (
            """
            Google takes this redirect for a client of the type Desktop app alone, with its client secret; for \
            a device code the type is TVs and Limited Input devices
            """,
            "A client of the type Desktop app needs no registered redirect URI",
            "Google refuses unknown scopes, offline_access among them"
        ),
        "microsoft": (
            "The app registration must allow the accounts of the tenant, and public client flows for a device code",
            """
            Register http://localhost, without a port, under Authentication, Mobile and desktop applications; \
            127.0.0.1 is refused
            """,
            "A scope must exist, and a request can name the scopes of one API alone"
        ),
        "auth0": (
            "The application must be of the type Native",
            "Add the whole address, with its port, to Allowed Callback URLs",
            "offline_access must be allowed for the API, in its settings"
        ),
        "okta": (
            "The integration must be an OIDC Native Application, and assigned to the user",
            "Add the whole address, with its port, to Sign-in redirect URIs",
            "The authorization server must have the scope, and a policy that allows it"
        ),
        "keycloak": (
            "Client authentication must be off, and Standard flow on",
            "Add http://127.0.0.1/callback to Valid redirect URIs; any port is accepted then",
            "The realm must have the scope as a client scope of this client"
        ),
        "cognito": (
            "The app client must be a public client, and allow the authorization code grant",
            """
            Add the whole address, with its port, to Allowed callback URLs; Cognito takes plain http for \
            localhost alone
            """,
            "The app client must allow each scope; offline_access is unknown to Cognito"
        ),
        "gitlab": (
            "The application must not be confidential",
            "Register http://127.0.0.1/callback as redirect URI; any port is accepted then",
            "The application must have each scope; offline_access is unknown to GitLab"
        ),
        "github": (
            "The browser flow needs the client secret; the device flow must be switched on in the app's settings",
            "Register http://127.0.0.1/callback as callback URL; any port is accepted then",
            "GitHub drops scopes that it doesn't know"
        ),
    ]
}
