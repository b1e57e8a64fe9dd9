// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options that most sign-ins at a provider need.
struct SignInOptions: ParsableArguments {
    @Option(name: .long, help: "The provider, whose rules the tool knows. Completes or replaces --issuer.")
    var provider: ProviderName?

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp(
            """
            The client ID at the provider, or the https address of the client's metadata. An empty one registers a \
            client, and uses it again. With --apple, the app's bundle identifier (default: com.goumuve.app).
            """,
            valueName: "id"
        )
    )
    var clientID: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The scopes to request. (default: openid profile email, and offline_access if the provider supports it)",
            valueName: "scopes"
        )
    )
    var scope: String?

    @Flag(name: .long, help: "Sign in on another device, without a browser on this one.")
    var device = false
}
