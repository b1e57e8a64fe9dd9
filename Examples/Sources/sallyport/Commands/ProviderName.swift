// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenIDConnect

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
}
