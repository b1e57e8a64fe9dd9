// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// The command-line options of a shell.
public struct ShellOptions: ParsableArguments, Sendable {
    /// The backend's address.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The backend's address. An older version's token is used for this backend.",
            valueName: "url"
        )
    )
    public var backend = "http://127.0.0.1:8080"

    /// The provider that stands for Apple, for tests.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "For tests: a provider that issues the identity token in place of Apple.",
            valueName: "url"
        )
    )
    public var appleIssuer: String?

    /// The store for the session.
    @Option(
        name: .long,
        help: "The store of the session. (default: its current store, else keyring) SALLYPORT_PASSPHRASE: the file."
    )
    public var store: StoreChoice?

    /// The name of the session's profile.
    @Option(name: .long, help: "The profile. Each profile has its own session.")
    public var profile = "default"

    /// The way back from the browser.
    @Option(
        name: .long,
        help: "The way back from the browser. (default: scheme if it was used before, else loopback)"
    )
    public var redirect: RedirectChoice?

    /// Whether the app's registration for its addresses is removed.
    @Flag(name: .long, help: "Remove the registration that --redirect scheme has made, and quit.")
    public var unregister = false

    /// Whether the shell runs line by line.
    @Flag(name: .long, help: "Use lines and numbered choices, for screen readers and simple terminals.")
    public var plain = false

    /// The interval of requests to the server, in seconds.
    @Option(
        name: .long,
        help: ArgumentHelp("Interval between checks of the server.", valueName: "seconds")
    )
    public var checkEvery = 15

    /// The options with which another process completes a sign-in that this one begins.
    var callbackArguments: [String] {
        get throws {
            let defaults = try Self.parse([])
            var arguments: [String] = []
            if backend != defaults.backend { arguments += ["--backend", backend] }
            if let store { arguments += ["--store", store.rawValue] }
            if profile != defaults.profile { arguments += ["--profile", profile] }
            return arguments
        }
    }

    /// Creates options with their defaults.
    public init() {}

    /// Validates the options.
    ///
    /// - Throws: `ValidationError`.
    public mutating func validate() throws {
        guard (1...86_400).contains(checkEvery) else {
            throw ValidationError("--check-every takes 1 to 86400 seconds.")
        }
    }
}
