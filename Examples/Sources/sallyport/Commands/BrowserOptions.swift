// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenIDConnect

/// The options of a sign-in in the browser.
struct BrowserOptions: ParsableArguments {
    enum Host: String, ExpressibleByArgument, CaseIterable {
        case address
        case localhost
    }

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The port of the redirect URI; 0 for a free one. The provider must accept the redirect URI \
            http://127.0.0.1/callback, with any port or with this one. (default: 0, or the provider's)
            """,
            valueName: "port"
        )
    )
    var redirectPort: Int?

    @Option(
        name: .long,
        help: "The host in the redirect URI: address (127.0.0.1) or localhost. (default: address, or the provider's)"
    )
    var redirectHost: Host?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The path of the redirect URI. (default: /callback, or the provider's; a path of the issuer's own for a client \
            that the tool registers)
            """,
            valueName: "path"
        )
    )
    var redirectPath: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Maximum time to wait for the browser; ignored with --device.", valueName: "seconds")
    )
    var loginTimeout = 300

    @Flag(name: .long, help: "Print the address instead of opening a browser.")
    var noBrowser = false

    @Flag(
        name: .long,
        help: "Open no listener: paste the address that the browser ends at on standard input."
    )
    var paste = false

    mutating func validate() throws {
        guard (1...86_400).contains(loginTimeout) else {
            throw ValidationError("--login-timeout takes 1 to 86400 seconds.")
        }
        guard (0...65_535).contains(redirectPort ?? 0) else {
            throw ValidationError("--redirect-port takes 0 to 65535.")
        }
        guard redirectPath?.hasPrefix("/") ?? true, !(redirectPath ?? "").contains(where: { " ?#".contains($0) }) else {
            throw ValidationError("--redirect-path takes a path that begins with a slash, such as /callback.")
        }
    }

    /// The names of the options that were given.
    var given: [String] {
        var given: [String] = []
        if redirectPort != nil { given.append("--redirect-port") }
        if redirectHost != nil { given.append("--redirect-host") }
        if redirectPath != nil { given.append("--redirect-path") }
        if loginTimeout != 300 { given.append("--login-timeout") }
        if noBrowser { given.append("--no-browser") }
        if paste { given.append("--paste") }
        return given
    }

    /// Returns the browser of a sign-in.
    ///
    /// - Parameter ways: The ways to sign in with a browser on another machine.
    func browser(_ redirect: LoopbackRedirect, ways: String) -> ExternalUserAgent {
        let hint = "A browser on another machine can't come back to this one: \(ways)."
        return Browser.forSignIn(to: redirect, opens: !noBrowser, timeout: .seconds(loginTimeout), hint: hint)
    }

    /// Returns the redirect of a provider, as far as the options don't replace it.
    func redirect(_ profile: ProviderProfile = .standard) -> LoopbackRedirect {
        var redirect = LoopbackRedirect(profile.redirect, appName: "the terminal")
        if let redirectHost { redirect.host = redirectHost == .localhost ? .localhost : .address }
        if let redirectPort { redirect.port = redirectPort }
        if let redirectPath { redirect.path = redirectPath }
        return redirect
    }
}
