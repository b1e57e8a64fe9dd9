// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options that name the server of a sign-in by its address.
struct ServerOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The provider's issuer identifier.", valueName: "url"))
    var issuer: String?

    @Option(name: .long, help: ArgumentHelp("The address of an app's own backend.", valueName: "url"))
    var backend: String?
}
