import APIClient
import ArgumentParser
import AuthSession
import Logging
import OpenIDConnect
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

    @Option(name: .long, help: "A file with the certificates of further authorities to trust, PEM.")
    var caFile: String?

    @Flag(name: .long, help: "Tell on standard error what is done. Never a secret.")
    var verbose = false

    mutating func validate() throws {
        guard (1...3_600).contains(httpTimeout) else {
            throw ValidationError("--http-timeout takes 1 to 3600 seconds.")
        }
    }

    var timeout: Duration { .seconds(httpTimeout) }

    /// What carries the requests; nil for the platform's as it is.
    func transport() throws -> (any Transport)? {
        guard let caFile else { return nil }
        do {
            let settings = TransportSettings(certificateAuthorities: try .systemAnd(pemFile: caFile))
            return try AsyncHTTPClientTransport(settings: settings)
        } catch {
            let what = (error as? TransportSettingsError)?.description ?? "The file \(caFile) can't be read."
            throw Failure(.wrongArguments, what, "Check --ca-file.")
        }
    }

    /// How providers are talked to.
    func providerSettings() throws -> ProviderSettings {
        var settings = ProviderSettings()
        settings.transport = try transport()
        settings.timeout = timeout
        settings.logger = logger
        return settings
    }

    var logger: Logger {
        let level: Logger.Level = verbose ? .debug : .warning
        return Logger(label: "sallyport") { _ in NoteLogHandler(logLevel: level) }
    }

    /// Where the session is, or will be.
    func openStore() throws -> any SecureStore {
        try place().open()
    }

    func place() throws -> SessionPlace {
        try SessionPlace(profile: profile, choice: store)
    }

    /// The session that was signed in before.
    func storedSession(in store: (any SecureStore)? = nil) async throws -> AuthSession {
        let session = try await AuthSession.stored(
            in: try store ?? openStore(),
            apiKey: try APIKeySetting.read(),
            transport: try transport(),
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

    /// The same, where it is one at an OpenID provider.
    func storedProviderSession(in store: (any SecureStore)? = nil) async throws -> AuthSession {
        let session = try await storedSession(in: store)
        guard session.backend.provider != nil else {
            throw Failure(
                .wrongArguments,
                "This session is at a backend of its own, which has no such call.",
                "Sign in at a provider with --issuer, or use another --profile."
            )
        }
        return session
    }
}
