import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import SecureStore

/// `sallyport login`: signs in at a first-party backend.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in at a backend, with e-mail and password or with Apple.",
        discussion: """
            With an e-mail address the password is asked for, or read from standard input with --password-stdin. The \
            API key of an app, where the backend wants one, comes from the environment variable SALLYPORT_API_KEY.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: "The backend's address.")
    var backend: String

    @Option(name: .long, help: "Sign in with this e-mail address and a password.")
    var email: String?

    @Flag(name: .long, help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Flag(name: .long, help: "Keep nothing: the session ends with this command.")
    var noRemember = false

    @Flag(name: .long, help: "Sign in with Apple, in the browser.")
    var apple = false

    @Option(name: .long, help: "Where the identity token comes from. Apple itself accepts no loopback redirect.")
    var appleIssuer: String?

    @Option(name: .customLong("client-id"), help: "The app's bundle identifier.")
    var clientID = "com.goumuve.app"

    @Option(name: .long, help: "The port that the browser comes back to; 0 for a free one.")
    var redirectPort = 0

    @Option(name: .long, help: "The longest wait for the browser, in seconds.")
    var loginTimeout = 300

    @Flag(name: .long, help: "Open no browser; show the address instead.")
    var noBrowser = false

    @Flag(name: .long, help: "Print the access token on standard output.")
    var printToken = false

    @Flag(name: .long, help: "Print who signed in as one JSON object.")
    var json = false

    mutating func validate() throws {
        guard apple != (email != nil) else {
            throw ValidationError("Give either --email ADDRESS or --apple.")
        }
        guard !apple || appleIssuer != nil else {
            throw ValidationError("--apple needs --apple-issuer: Apple itself accepts no loopback redirect.")
        }
        guard !(json && printToken) else { throw ValidationError("Give either --json or --print-token.") }
        guard (1...86_400).contains(loginTimeout) else {
            throw ValidationError("--login-timeout takes 1 to 86400 seconds.")
        }
        guard (0...65_535).contains(redirectPort) else { throw ValidationError("--redirect-port takes 0 to 65535.") }
    }

    func run() async throws {
        let session = AuthSession(
            backend: .firstParty(
                baseURL: try BaseURL(backend),
                contract: apple ? .sessionToken : .tokenPair,
                apiKey: try APIKeySetting.read()
            ),
            store: try global.openStore(),
            timeout: global.timeout,
            logger: global.logger
        )
        OpenSessions.add(session)
        let user: User?
        do {
            user = try await signIn(to: session)
        } catch let error as AuthSessionError where error.code == .unreachable {
            throw Failure(.unreachable, error.description, "Check the address \(backend), or try again later.")
        }
        try await session.finish()
        try await report(user, session)
    }

    private func signIn(to session: AuthSession) async throws -> User? {
        if let email { return try await signIn(email: email, to: session) }
        return try await AppleLogin(
            issuer: appleIssuer ?? "",
            clientID: clientID,
            redirectPort: redirectPort,
            opensBrowser: !noBrowser,
            timeout: .seconds(loginTimeout)
        ).signIn(to: session)
    }

    private func signIn(email: String, to session: AuthSession) async throws -> User? {
        let isRemembered = !noRemember
        if isRemembered { try await session.requireStore() }
        let text = passwordStdin ? try StandardInput.readPassword() : try askForPassword()
        return try await session.signIn(
            email: email,
            password: Password(text),
            rememberMe: isRemembered,
            device: InstallationID.device()
        )
    }

    private func askForPassword() throws -> String {
        try StandardInput.askHidden("Password:", instead: "Give it on standard input with --password-stdin.")
    }

    private func report(_ user: User?, _ session: AuthSession) async throws {
        if printToken {
            Terminal.result(try await session.accessToken().unredacted)
        } else if json {
            try JSONOutput.print(
                Report(profile: global.profile, backend: session.backend.baseURL.description, user: user)
            )
        }
        let name = user?.displayName.flatMap({ Terminal.shown($0) }) ?? "somebody without a name"
        let protection = await session.protection
        let place =
            if noRemember || protection == .memory {
                "the session ends with this command"
            } else {
                "the session is kept in the \(protection)"
            }
        Terminal.note("Signed in as \(name); \(place).")
    }

    private struct Report: Encodable {
        let profile: String
        let backend: String
        let user: User?
    }
}
