import APIClient
import ArgumentParser
import AuthSession
import Logging
import OpenIDConnect
import OpenIDSession
import SecureStore

/// The options of every command that uses a session.
struct GlobalOptions: ParsableArguments {
    @Option(name: .long, help: "The profile. Each profile has its own session.")
    var profile = "default"

    @Option(
        name: .long,
        help: """
            The store of the session: keyring; file, encrypted with a passphrase from SALLYPORT_PASSPHRASE or the \
            terminal; or memory, which ends with the command. (default: the session's store, else keyring)
            """
    )
    var store: StoreChoice?

    @Option(name: .long, help: "Maximum time to wait for a response, in seconds.")
    var httpTimeout = 30

    @Option(name: .long, help: "A PEM file with additional certificate authorities to trust.")
    var caFile: String?

    @Flag(name: .long, help: "Log to standard error. No secret is logged.")
    var verbose = false

    mutating func validate() throws {
        guard (1...3_600).contains(httpTimeout) else {
            throw ValidationError("--http-timeout takes 1 to 3600 seconds.")
        }
    }

    var timeout: Duration { .seconds(httpTimeout) }

    /// Returns the transport, or nil for the platform's default.
    func transport() throws -> (any Transport)? {
        guard let caFile else { return nil }
        do {
            let settings = TransportSettings(certificateAuthorities: try .systemAnd(pemFile: caFile))
            return try AsyncHTTPClientTransport(settings: settings)
        } catch {
            let message = (error as? TransportSettingsError)?.description ?? "The file \(caFile) can't be read."
            throw Failure(.wrongArguments, message, "Check --ca-file.")
        }
    }

    /// Returns the settings for requests to providers.
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

    /// Opens the store that holds the session or will hold it.
    func openStore() throws -> any SecureStore {
        try place().open()
    }

    func place() throws -> SessionLocation {
        try SessionLocation(profile: profile, choice: store)
    }

    /// Returns the stored session.
    func storedSession(in store: (any SecureStore)? = nil) async throws -> AuthSession {
        let session = try await AuthSession.stored(
            in: try store ?? openStore(),
            of: [.firstParty(apiKey: try APIKeySetting.read()), .openID, .clientCredentials],
            transport: try transport(),
            timeout: timeout,
            logger: logger
        )
        guard let session else {
            throw Failure(
                .notSignedIn,
                profile == "default" ? "You are not signed in." : "You are not signed in under the profile \(profile).",
                "Sign in with: \(Failure.signIn)" + (profile == "default" ? "" : ", and --profile \(profile)")
            )
        }
        OpenSessions.add(session)
        return session
    }

    /// Returns the stored session, or throws if no user signed in at a provider.
    func storedProviderSession() async throws -> AuthSession {
        let session = try await storedSession()
        guard session.backend.clientCredentials == nil else {
            throw Failure(
                .wrongArguments,
                "This session has no user, and the command needs one.",
                "Sign in without --client-credentials, or use another --profile."
            )
        }
        try Self.requireProvider(session)
        return session
    }

    /// Throws if a session is at a backend.
    static func requireProvider(_ session: AuthSession) throws {
        guard session.backend.provider == nil, session.backend.clientCredentials == nil else { return }
        throw Failure(
            .wrongArguments,
            "This session is at a backend, which doesn't support this command.",
            "Sign in at a provider with --issuer, or use another --profile."
        )
    }
}
