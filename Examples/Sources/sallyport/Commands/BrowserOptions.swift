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
            http://127.0.0.1/callback, with any port or with this one.
            """,
            valueName: "port"
        )
    )
    var redirectPort = 0

    @Option(name: .long, help: "The host in the redirect URI: address (127.0.0.1) or localhost.")
    var redirectHost = Host.address

    @Option(name: .long, help: ArgumentHelp("The path of the redirect URI.", valueName: "path"))
    var redirectPath = "/callback"

    @Option(
        name: .long,
        help: ArgumentHelp("Maximum time to wait for the browser; ignored with --device.", valueName: "seconds")
    )
    var loginTimeout = 300

    @Flag(name: .long, help: "Print the address instead of opening a browser.")
    var noBrowser = false

    mutating func validate() throws {
        guard (1...86_400).contains(loginTimeout) else {
            throw ValidationError("--login-timeout takes 1 to 86400 seconds.")
        }
        guard (0...65_535).contains(redirectPort) else { throw ValidationError("--redirect-port takes 0 to 65535.") }
        guard redirectPath.hasPrefix("/"), !redirectPath.contains(where: { " ?#".contains($0) }) else {
            throw ValidationError("--redirect-path takes a path that begins with a slash, such as /callback.")
        }
    }

    /// The names of the options that were given.
    var given: [String] {
        var given: [String] = []
        if redirectPort != 0 { given.append("--redirect-port") }
        if redirectHost != .address { given.append("--redirect-host") }
        if redirectPath != "/callback" { given.append("--redirect-path") }
        if loginTimeout != 300 { given.append("--login-timeout") }
        if noBrowser { given.append("--no-browser") }
        return given
    }

    func browser(port: Int) -> ExternalUserAgent {
        Browser.forSignIn(to: redirect(port: port), opens: !noBrowser, timeout: .seconds(loginTimeout))
    }

    func redirect(port: Int) -> LoopbackRedirect {
        let host: LoopbackRedirect.Host = redirectHost == .localhost ? .localhost : .address
        return LoopbackRedirect(host: host, port: port, path: redirectPath, appName: "the terminal")
    }
}
