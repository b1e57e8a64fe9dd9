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

    /// Whether the shell runs line by line.
    @Flag(name: .long, help: "Use lines and numbered choices, for screen readers and simple terminals.")
    public var plain = false

    /// The interval of requests to the server, in seconds.
    @Option(
        name: .long,
        help: ArgumentHelp("Interval between checks of the server.", valueName: "seconds")
    )
    public var checkEvery = 15

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
