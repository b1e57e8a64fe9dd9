// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenIDConnect

/// The options of a sign-in with OAuth 2.0 alone, without OpenID Connect.
struct OAuthOptions: ParsableArguments {
    @Flag(name: .long, help: "Use OAuth 2.0 without OpenID Connect: no ID token is expected.")
    var oauth = false

    @Option(name: .long, help: ArgumentHelp("The endpoint at which the user signs in, with --oauth.", valueName: "url"))
    var authorizationEndpoint: String?

    @Option(name: .long, help: ArgumentHelp("The endpoint that issues tokens, with --oauth.", valueName: "url"))
    var tokenEndpoint: String?

    @Option(name: .long, help: ArgumentHelp("The endpoint of --device, with --oauth.", valueName: "url"))
    var deviceEndpoint: String?

    @Option(name: .long, help: ArgumentHelp("The endpoint that describes the user, with --oauth.", valueName: "url"))
    var userinfoEndpoint: String?

    mutating func validate() throws {
        guard oauth || given.isEmpty else { throw ValidationError("\(given[0]) needs --oauth.") }
        guard (authorizationEndpoint == nil) == (tokenEndpoint == nil) else {
            throw ValidationError("Give both --authorization-endpoint and --token-endpoint.")
        }
        guard deviceEndpoint == nil || tokenEndpoint != nil else {
            throw ValidationError("--device-endpoint needs --authorization-endpoint and --token-endpoint.")
        }
    }

    /// The names of the endpoint options that were given.
    var given: [String] {
        [
            authorizationEndpoint.map { _ in "--authorization-endpoint" },
            tokenEndpoint.map { _ in "--token-endpoint" },
            deviceEndpoint.map { _ in "--device-endpoint" }, userinfoEndpoint.map { _ in "--userinfo-endpoint" },
        ].compactMap(\.self)
    }
}
