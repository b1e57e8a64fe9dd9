public import ArgumentParser

/// What a shell is started with.
public struct ShellOptions: ParsableArguments, Sendable {
    /// The backend's address.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The backend's address; a token that an older version left is taken for one of this backend.",
            valueName: "url"
        )
    )
    public var backend = "http://127.0.0.1:8080"

    /// Where the identity token comes from.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the identity token comes from: the stand-in, as Apple itself accepts no loopback redirect.",
            valueName: "url"
        )
    )
    public var appleIssuer = "http://127.0.0.1:8081"

    /// Where the session is kept.
    @Option(
        name: .long,
        help: "Where the session is kept: by default where it is, else the keyring. SALLYPORT_PASSPHRASE: the file."
    )
    public var store: StoreChoice?

    /// Which of several sessions.
    @Option(name: .long, help: "Which session; several live side by side.")
    public var profile = "default"

    /// Whether it is line by line.
    @Flag(name: .long, help: "Line by line, with numbered choices: for screen readers, and where nothing can be drawn.")
    public var plain = false

    /// How often the server is asked.
    @Option(
        name: .long,
        help: ArgumentHelp("After how long the server is asked again while the app shows.", valueName: "seconds")
    )
    public var checkEvery = 15

    /// Makes options with their defaults.
    public init() {}

    /// Refuses what makes no sense.
    ///
    /// - Throws: `ValidationError`.
    public mutating func validate() throws {
        guard (1...86_400).contains(checkEvery) else {
            throw ValidationError("--check-every takes 1 to 86400 seconds.")
        }
    }
}
