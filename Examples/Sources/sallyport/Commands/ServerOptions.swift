// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The argument and the options that name the server of a sign-in.
struct ServerOptions: ParsableArguments {
    @Argument(
        help: """
            The server: a known provider, the address of a provider or a backend, or an account that a file in \
            \(NamedAccount.folders) names.
            """,
        completion: .list(ProviderName.allCases.map(\.rawValue))
    )
    var name: String?

    /// The argument for a message; `NAME` in place of one that may contain a password.
    var shownName: String? { name.map(Self.shown) }

    /// Returns the name or the address of a server for a message; `NAME` in place of one that may contain a password.
    static func shown(_ name: String) -> String {
        (name.contains(where: "@?#".contains) ? nil : Terminal.shown(name, limit: 100)) ?? "NAME"
    }

    @Option(name: .long, help: ArgumentHelp("The provider's issuer identifier.", valueName: "url"))
    var issuer: String?

    @Option(name: .long, help: ArgumentHelp("The address of an app's own backend.", valueName: "url"))
    var backend: String?
}
