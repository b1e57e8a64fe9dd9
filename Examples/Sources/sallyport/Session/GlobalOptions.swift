import APIClient
import ArgumentParser
import AuthSession
import Logging
import SecureStore

/// What every command that has to do with a session takes.
struct GlobalOptions: ParsableArguments {
    @Option(name: .long, help: "Which session; several live side by side.")
    var profile = "default"

    @Option(
        name: .long,
        help: """
            Where the session is kept: keyring; file, encrypted under a passphrase that is asked for or taken from \
            SALLYPORT_PASSPHRASE; or memory, which ends with the command. (default: where it is, else keyring)
            """
    )
    var store: StoreChoice?

    @Option(name: .long, help: "The longest wait for one answer of a server, in seconds.")
    var httpTimeout = 30

    @Flag(name: .long, help: "Tell on standard error what is done. Never a secret.")
    var verbose = false

    mutating func validate() throws {
        guard (1...3_600).contains(httpTimeout) else {
            throw ValidationError("--http-timeout takes 1 to 3600 seconds.")
        }
    }

    var timeout: Duration { .seconds(httpTimeout) }

    var logger: Logger {
        let level: Logger.Level = verbose ? .debug : .warning
        return Logger(label: "sallyport") { _ in NoteLogHandler(logLevel: level) }
    }

    /// Where the session is, or will be.
    func openStore() throws -> any SecureStore {
        try SessionPlace(profile: profile, choice: store).open()
    }

    /// The session that was signed in before.
    func storedSession(in store: (any SecureStore)? = nil) async throws -> AuthSession {
        let session = try await AuthSession.stored(
            in: try store ?? openStore(),
            apiKey: try APIKeySetting.read(),
            timeout: timeout,
            logger: logger
        )
        guard let session else {
            throw Failure(
                .notSignedIn,
                profile == "default" ? "Nobody is signed in." : "Nobody is signed in under the profile \(profile).",
                "Sign in with: \(Failure.signIn)" + (profile == "default" ? "" : " --profile \(profile)")
            )
        }
        OpenSessions.add(session)
        return session
    }
}
