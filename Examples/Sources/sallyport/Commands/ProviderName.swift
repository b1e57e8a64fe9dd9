// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenIDConnect
import TerminalOutput

/// A provider whose rules the tool knows by its name.
enum ProviderName: String, ExpressibleByArgument, CaseIterable {
    case google
    case microsoft
    case auth0
    case okta
    case keycloak
    case cognito
    case gitlab
    case github

    var profile: ProviderProfile { .named(rawValue) ?? .standard }

    /// The address of the provider's own service; nil if each customer has an address.
    var address: String? {
        switch self {
        case .google: "https://accounts.google.com"
        case .microsoft: "https://login.microsoftonline.com"
        case .gitlab: "https://gitlab.com"
        case .github: "https://github.com"
        case .auth0, .okta, .keycloak, .cognito: nil
        }
    }

    /// The names, in a sentence.
    static let list = "\(allCases.dropLast().map(\.rawValue).joined(separator: ", ")) or \(github)"

    /// Returns the failure of a sign-in without a client ID, in three lines: the client to make, the page, and the
    /// command.
    ///
    /// - Parameters:
    ///   - given: The address with which the user named the provider; nil for its name.
    ///   - device: Whether the sign-in is on another device.
    func clientMissing(at given: String? = nil, device: Bool) -> Failure {
        let (client, page) = registration(device: device)
        let (server, issuer) = (given ?? rawValue, given == nil && address == nil ? " --issuer URL" : "")
        let secret = self == .google ? " --client-secret-file FILE" : ""
        let way = device || self == .github ? " --device" : ""
        return Failure(
            .wrongArguments,
            "\(server) needs a client ID: that of \(client).",
            "Make it at \(page)\n"
                + "Then run: sallyport login \(ShellWord.quoted(server))\(issuer) --client-id ID\(secret)\(way)"
        )
    }

    /// Returns the client that a user makes, and the address of the page.
    ///
    /// The redirect URIs are those of the profiles. A page of a customer's own has the customer's name in capitals.
    private func registration(device: Bool) -> (client: String, page: String) {
        switch self {
        case .google:
            (
                "\(device ? "a client for TVs and Limited Input devices" : "a Desktop app"), with its client secret",
                "https://console.cloud.google.com/auth/clients"
            )
        case .microsoft:
            (
                "an app with the redirect URI http://localhost",
                "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade"
            )
        case .auth0:
            (
                "a Native app with the callback http://127.0.0.1:8484/callback",
                "https://manage.auth0.com/#/applications"
            )
        case .okta:
            (
                "a Native app with the redirect http://127.0.0.1:8484/callback",
                "https://DOMAIN-admin.okta.com/admin/apps/active"
            )
        case .keycloak: ("a public client with the redirect http://127.0.0.1/callback", "https://HOST/admin")
        case .cognito:
            (
                "a public app with the callback http://localhost:8484/callback",
                "https://console.aws.amazon.com/cognito/home"
            )
        case .gitlab:
            (
                "an application, not confidential, for http://127.0.0.1/callback",
                "https://gitlab.com/-/user_settings/applications"
            )
        case .github: ("an OAuth app with the device flow", "https://github.com/settings/applications/new")
        }
    }
}
