import ArgumentParser
import OpenIDConnect

/// What a sign-in in the browser takes.
struct BrowserOptions: ParsableArguments {
    @Option(name: .long, help: "The port that the browser comes back to; 0 for a free one.")
    var redirectPort = 0

    @Option(name: .long, help: "The longest wait for the browser, in seconds.")
    var loginTimeout = 300

    @Flag(name: .long, help: "Open no browser; show the address instead.")
    var noBrowser = false

    mutating func validate() throws {
        guard (1...86_400).contains(loginTimeout) else {
            throw ValidationError("--login-timeout takes 1 to 86400 seconds.")
        }
        guard (0...65_535).contains(redirectPort) else { throw ValidationError("--redirect-port takes 0 to 65535.") }
    }

    func browser(port: Int) -> SignInBrowser {
        Browser.forSignIn(port: port, opens: !noBrowser, patience: .seconds(loginTimeout))
    }
}
