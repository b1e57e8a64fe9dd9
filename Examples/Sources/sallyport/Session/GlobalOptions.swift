// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthSession
import FoundationEssentials
import Logging
import OpenIDConnect
import SecureStore

/// The options of every command that uses a session.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("profile"),
        help: ArgumentHelp(
            "The profile. Each profile has its own session. (default: SALLYPORT_PROFILE, else default)",
            valueName: "profile"
        )
    )
    var chosenProfile: String?

    @Option(
        name: .long,
        help: """
            The store of the session: keyring; file, encrypted under the key of --key-file, or a passphrase from \
            SALLYPORT_PASSPHRASE or the terminal; or memory, which ends with the command. (default: the session's store, else keyring)
            """
    )
    var store: StoreChoice?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            A file with at least 32 random bytes and mode 0600, which opens the encrypted file instead of a \
            passphrase. Give it with every command of the session. (default: the systemd credential sallyport-key)
            """,
            valueName: "file"
        )
    )
    var keyFile: String?

    @Flag(
        name: .long,
        help: """
            Derive the encrypted file's key from the passphrase in each command, which takes some tenths of a second, \
            instead of keeping it in the kernel's keyring for fifteen minutes after its last use.
            """
    )
    var noKeyCache = false

    @Option(
        name: .long,
        help: "Maximum time to wait for a response, or for another command that uses the session, in seconds."
    )
    var httpTimeout = 30

    @Option(name: .long, help: "A PEM file with additional certificate authorities to trust.")
    var caFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            A PEM file with the client's certificate chain, which is presented to servers that request one. Give it \
            with every command of the session.
            """,
            valueName: "file"
        )
    )
    var certificate: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A PEM file with the private key of --certificate; may be the same file.", valueName: "file")
    )
    var certificateKey: String?

    @Flag(name: .long, help: "Log to standard error. No secret is logged.")
    var verbose = false

    mutating func validate() throws {
        guard (1...3_600).contains(httpTimeout) else {
            throw ValidationError("--http-timeout takes 1 to 3600 seconds.")
        }
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("Give both --certificate FILE and --certificate-key FILE.")
        }
    }

    /// The name of the profile: that of `--profile`, or else of `SALLYPORT_PROFILE`, or else `default`.
    var profile: String {
        let named = ProcessInfo.processInfo.environment["SALLYPORT_PROFILE"] ?? ""
        return chosenProfile ?? (named.isEmpty ? "default" : named)
    }

    /// The options as words, by which another process opens the same session.
    private var words: [String] {
        let values = [
            ("store", store?.rawValue), ("key-file", keyFile), ("ca-file", caFile), ("certificate", certificate),
            ("certificate-key", certificateKey),
        ]
        return ["--profile=\(profile)", "--http-timeout=\(httpTimeout)"]
            + values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
            + (noKeyCache ? ["--no-key-cache"] : []) + (verbose ? ["--verbose"] : [])
    }

    var timeout: Duration { .seconds(httpTimeout) }

    /// Returns the transport, or nil for the platform's default.
    func transport() throws -> (any Transport)? {
        // As for other programs that use OpenSSL, the variable replaces the system's authorities.
        let replacement = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        guard caFile != nil || certificate != nil || replacement != nil else { return nil }
        var settings = TransportSettings()
        settings.certificateAuthorities = caFile ?? replacement
        settings.trustsSystemAuthorities = caFile != nil
        if let certificate, let certificateKey {
            settings.clientCertificate = .init(certificateFile: certificate, privateKeyFile: certificateKey)
        }
        do {
            return try CurlTransport(settings: settings)
        } catch let error as TransportError {
            throw Failure(
                .wrongArguments,
                error.description,
                error.reason == .clientCertificate
                    ? "Check --certificate and --certificate-key."
                    : caFile == nil ? "Check the variable SSL_CERT_FILE." : "Check --ca-file."
            )
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
        try SessionLocation(profile: profile, choice: store, fileSecret: fileSecret, lockTimeout: timeout)
    }

    /// The secret of the encrypted file.
    var fileSecret: FileStoreSecret { FileStoreSecret(keyFile: keyFile, keepsDerivedKey: !noKeyCache) }

    /// Returns the stored session, of a user or a program.
    ///
    /// - Parameters:
    ///   - store: The store; nil for that of the profile.
    ///   - noteUnsent: Called with a sentence if the session's certificate is missing, in a command that also works
    ///     without the server: the session then sends nothing. Nil for a command that fails.
    func storedSession(
        in store: (any SecureStore)? = nil,
        noteUnsent: ((String) -> Void)? = nil
    ) async throws -> any KeptSession {
        let store = try store ?? openStore()
        let (clients, unreadable) = try await StoredClients.readable(in: store)
        var settings = try providerSettings()
        let isUnsent = try await lacksCertificate(clients, in: store)
        if isUnsent {
            guard let noteUnsent else { throw Failure.certificateMissing }
            settings.transport = UnsentTransport()
            noteUnsent(Failure.certificateMissing.advice + " Without them, nothing is sent to the server.")
        }
        if let client = clients.programClient,
            let session = try ProgramSession(client, signedInAs: clients.signIn, in: store, settings: settings)
        {
            return session
        }
        var options = SessionOptions()
        if !isUnsent {
            options.delegateRefresh = { [words, httpTimeout] (refresh) async throws(AuthSessionError) in
                try await RefreshProcess.carryOut(refresh, words, httpTimeout: httpTimeout)
            }
        }
        let session = try await AuthSession.stored(
            in: store,
            of: clients.kinds(sendingWithCertificate: certificate != nil || isUnsent),
            transport: settings.transport,
            timeout: timeout,
            logger: logger,
            options: options
        )
        guard let session else {
            // A program may be signed in.
            if let unreadable { throw unreadable }
            try await StoredClients.removeUnused(in: store)
            throw Failure(
                .notSignedIn,
                profile == "default" ? "You are not signed in." : "You are not signed in under the profile \(profile).",
                "Sign in with: \(Failure.signIn)" + (profile == "default" ? "" : ", and --profile \(profile)")
            )
        }
        OpenSessions.add(session)
        return session
    }

    /// Returns whether the session was signed in with a certificate that this command was not given.
    private func lacksCertificate(_ clients: StoredClients, in store: any SecureStore) async throws -> Bool {
        guard certificate == nil, clients.usesCertificates else { return false }
        if let program = clients.programClient { return program.usesCertificate }
        let session = try await SessionSummary(in: store, of: clients.kinds(sendingWithCertificate: true))
        return session.flatMap { clients.client(of: $0.backend.authority.id) }?.usesCertificate ?? false
    }

    /// Returns the stored session for a program that runs the tool, and never asks for a passphrase.
    func storedSessionWithoutPrompt() async throws -> any KeptSession {
        try await storedSession(in: try place().open(prompting: false))
    }

    /// Returns the stored session if it is a program's or not at a backend, whose sign-in replaces it; nil otherwise.
    ///
    /// Returns nil also if the store or its record can't be read: the sign-in reports that.
    func storedSession(in store: any SecureStore, notAt backend: SessionBackend) async -> (any KeptSession)? {
        let clients = try? await StoredClients.stored(in: store)
        if clients?.programClient == nil {
            // Without a log: a session at another backend is no fault here.
            let probe = AuthSession(backend: backend, store: store)
            await probe.restore(validating: false)
            guard probe.state == .signedOut(.unreadableRecord(.otherBackend)) else { return nil }
        }
        return try? await storedSession(in: store, noteUnsent: { _ in })
    }

    /// Returns the stored session, or throws if no user signed in at a provider.
    func storedProviderSession() async throws -> AuthSession {
        guard let session = try await storedSession() as? AuthSession else {
            throw Failure(
                .wrongArguments,
                "This session has no user, and the command needs one.",
                "Sign in as a user, or use another --profile."
            )
        }
        try Self.requireProvider(session)
        return session
    }

    /// Throws if a session is at a backend.
    static func requireProvider(_ session: any KeptSession) throws {
        guard session.anyProvider == nil else { return }
        throw Failure(
            .wrongArguments,
            "This session is at a backend, which doesn't support this command.",
            "Sign in at a provider with --issuer, or use another --profile."
        )
    }
}
