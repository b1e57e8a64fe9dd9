// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// `sallyport login`: signs in at an OpenID provider or at a first-party backend.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in at an OpenID provider, or at a backend with e-mail and password or with Apple.",
        usage: """
            sallyport login NAME [--client-id ID] [options]
            sallyport login URL (--email ADDRESS | --apple) [options]
            sallyport login --oauth (--authorization-endpoint URL --token-endpoint URL | --resource URL) --client-id ID
            sallyport login [options]
            sallyport login --step-up [--acr-values VALUES] [--max-age SECONDS]
            """,
        discussion: """
            NAME is a known provider (\(ProviderName.list)), the address of a provider or of a backend, or an account: \
            a file NAME.json in \(NamedAccount.folders). An address is a backend's with --email or --apple. --provider, \
            --issuer and --backend name the same. Without any of them, login repeats the profile's last sign-in, also \
            after a logout; options that are given come last.

            At a provider the sign-in happens in the browser, or with --device on another device; with \
            --client-credentials or --jwt-bearer there is no user. With an \
            e-mail address the password is requested, or read from standard input with --password-stdin. The API key of an \
            app, if the backend requires one, comes from the environment variable SALLYPORT_API_KEY and is kept with the \
            session. --step-up signs in again at the session's provider, as an API requires, or with another --scope: \
            sallyport api prints the command.
            """,
        examples: examples
    )

    static let examples = [
        Example("Sign in at GitHub on another device", "login github --client-id ID --device"),
        Example("Sign in at a provider in the browser", "login https://id.example.com --client-id ID"),
        Example("Keep a second session, of an account that a file names", "login work --profile work"),
        Example("Sign in at an app's own backend", "login https://api.example.com --email ADDRESS"),
    ]

    @OptionGroup(title: "Common options") var serverOptions: ServerOptions

    @OptionGroup var providerOptions: ProviderOptions

    @OptionGroup(title: "Client") var client: ClientOptions

    @OptionGroup(title: "OAuth 2.0") var oauth: OAuthOptions

    @OptionGroup(title: "Browser") var browserOptions: BrowserOptions

    @OptionGroup(title: "Backend") var backendOptions: BackendOptions

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    @Flag(name: .long, help: "Print the access token on standard output.")
    var printToken = false

    @Flag(name: .long, help: "Print the signed-in user as one JSON object.")
    var json = false

    mutating func validate() throws {
        guard !(json && printToken) else { throw ValidationError("Give either --json or --print-token.") }
        try providerOptions.scope.map { try Scope.check($0) }
        if providerOptions.request.stepUp { return try validateStepUp() }
        guard namesServer else {
            // They could belong to another server than that of the last sign-in.
            if let option = credentials.first { throw ValidationError("\(option) needs the server: give NAME.") }
            // `run()` validates the last sign-in with what is given.
            return
        }
        // The parser would show a failure with the usage; `run()` throws it again.
        do { try resolveName() } catch is Failure { return }
        guard !isAtProvider || serverOptions.backend == nil else {
            throw ValidationError("Give either --issuer URL or --backend URL.")
        }
        if isAtProvider { try validateProvider() } else { try validateBackend() }
        let isAppleInBrowser = backendOptions.apple && backendOptions.appleIssuer == nil
        guard !isAppleInBrowser || browserOptions.redirectHost != .localhost else {
            throw ValidationError("--apple can't be used with --redirect-host localhost.")
        }
        if let wrong = optionsOfAnotherWay {
            throw ValidationError("\(wrong) can't be used with this kind of sign-in.")
        }
    }

    /// The options that name a client, or who signs in.
    private var credentials: [String] {
        let own = [
            providerOptions.clientID.map { _ in "--client-id" }, backendOptions.email.map { _ in "--email" },
            backendOptions.apple ? "--apple" : nil,
        ]
        return client.given + own.compactMap(\.self)
    }

    /// Replaces NAME by the options that it stands for; those that are given stay.
    ///
    /// - Throws: ``Failure``; `ValidationError` if another option names the server, too.
    mutating func resolveName() throws {
        guard let name = serverOptions.name, let shown = serverOptions.shownName else { return }
        let (known, isAddress) = (ProviderName(rawValue: name), name.contains("://"))
        let others = [
            serverOptions.backend.map { _ in "--backend" },
            isAddress ? nil : providerOptions.provider.map { _ in "--provider" },
            known == nil ? serverOptions.issuer.map { _ in "--issuer" } : nil,
        ]
        if let other = others.compactMap(\.self).first {
            throw ValidationError("\(other) can't be used with \(shown), which names the server.")
        }
        if isAddress {
            let signsIn = backendOptions.email != nil || backendOptions.apple
            if signsIn || providerOptions.clientID == nil && !backendOptions.given.isEmpty {
                serverOptions.backend = name
            } else {
                guard providerOptions.clientID != nil else { throw clientMissing(at: name, shown) }
                serverOptions.issuer = name
            }
        } else {
            // A file completes a known provider whose client ID and address are not given.
            let isComplete = known != nil && (providerOptions.clientID ?? serverOptions.issuer) != nil
            if let account = isComplete ? nil : try NamedAccount.named(name) {
                serverOptions.issuer = account.issuer
                providerOptions.common.provider = account.provider
                providerOptions.common.clientID = providerOptions.clientID ?? account.clientID
                providerOptions.common.scope = providerOptions.scope ?? account.scope
            } else {
                guard let known else { throw Failure.unknownName(shown) }
                guard isComplete else { throw known.clientMissing(device: providerOptions.device) }
                providerOptions.common.provider = known
            }
        }
        serverOptions.name = nil
    }

    /// The error of a sign-in at an address without a client ID and without an option that only a backend has.
    private func clientMissing(at address: String, _ shown: String) -> any Error {
        let profile = (try? ProviderAddress(nil, address, tenant: nil))?.profile.name
        if let known = profile.flatMap(ProviderName.init(rawValue:)) {
            return known.clientMissing(at: shown, device: providerOptions.device)
        }
        guard (providerOptions.given + client.given).isEmpty, !oauth.oauth else {
            return ValidationError("\(shown) needs --client-id ID; an empty one registers a client.")
        }
        return Failure.clientMissing(at: shown)
    }

    private func validateBackend() throws {
        if let option = client.programOption {
            throw ValidationError("\(option) needs a provider: give --issuer URL in place of --backend URL.")
        }
        guard backendOptions.apple != (backendOptions.email != nil) else {
            throw ValidationError("Give either --email ADDRESS or --apple.")
        }
    }

    private func validateStepUp() throws {
        let ofFirstSignIn: [String?] = [
            serverOptions.shownName, serverOptions.issuer.map { _ in "--issuer" },
            providerOptions.provider.map { _ in "--provider" },
            providerOptions.tenant.map { _ in "--tenant" }, providerOptions.clientID.map { _ in "--client-id" },
            oauth.oauth ? "--oauth" : nil, serverOptions.backend.map { _ in "--backend" }, backendOptions.given.first,
            client.given.first,
        ]
        if let wrong = ofFirstSignIn.compactMap(\.self).first {
            throw ValidationError("\(wrong) can't be used with --step-up, because the session knows it.")
        }
        try validatePaste()
    }

    private func validateProvider() throws {
        guard providerOptions.tenant == nil || serverOptions.issuer != nil || providerOptions.provider != nil else {
            throw ValidationError("--tenant needs --provider microsoft.")
        }
        guard oauth.tokenEndpoint == nil || !isGitHub else {
            throw ValidationError("The endpoints of GitHub are known; leave out --token-endpoint.")
        }
        guard !backendOptions.apple, backendOptions.email == nil else {
            throw ValidationError("--email and --apple need --backend.")
        }
        guard providerOptions.clientID != nil else {
            // Most known providers register no clients.
            guard serverOptions.issuer != nil || oauth.oauth else {
                throw ValidationError("--provider needs --client-id ID.")
            }
            let named = serverOptions.issuer != nil ? "--issuer" : "--oauth"
            throw ValidationError("\(named) needs --client-id ID; an empty one registers a client.")
        }
        guard !oauth.oauth || isServerNamed else {
            throw ValidationError(
                "--oauth needs --issuer URL, --resource URL, or --authorization-endpoint URL and --token-endpoint URL."
            )
        }
        try client.check(clientID: providerOptions.clientID, hasCertificate: global.certificate != nil)
        if let secret = client.credentials.first, !isProviderNamed {
            // The API alone would say to whom the secret is sent.
            throw ValidationError("\(secret) needs --issuer URL, or --token-endpoint URL.")
        }
        if let option = client.programOption {
            guard let wrong = providerOptions.ofUser ?? browserOptions.given.first else { return }
            throw ValidationError("\(wrong) can't be used with \(option).")
        }
        guard oauth.oauth || providerOptions.scope.map({ Scope($0).contains("openid") }) ?? true || isGitHub else {
            throw ValidationError(providerOptions.scope.flatMap(Scope.slip) ?? "--scope must contain openid.")
        }
        try validatePaste()
    }

    private func validatePaste() throws {
        guard !(browserOptions.paste && providerOptions.device) else {
            throw ValidationError("--paste can't be used with --device.")
        }
    }

    /// Whether the command says where to sign in.
    var namesServer: Bool { serverOptions.name != nil || serverOptions.backend != nil || isAtProvider }

    private var isAtProvider: Bool { serverOptions.issuer != nil || providerOptions.provider != nil || oauth.oauth }

    private var isProviderNamed: Bool {
        serverOptions.issuer != nil || providerOptions.provider != nil || oauth.tokenEndpoint != nil
    }

    /// Whether the arguments name the server, or an API that names it.
    private var isServerNamed: Bool { isProviderNamed || !providerOptions.resource.isEmpty }

    private var isGitHub: Bool {
        let (name, issuer) = (providerOptions.provider, serverOptions.issuer)
        return (try? ProviderAddress(name, issuer, tenant: providerOptions.tenant))?.isGitHub ?? false
    }

    /// The first given option that doesn't apply to this kind of sign-in, or nil if all apply.
    private var optionsOfAnotherWay: String? {
        let ofProvider = providerOptions.given + client.given
        let provider = ofProvider + (providerOptions.clientID == nil ? [] : ["--client-id"])
        let password = backendOptions.passwordStdin ? ["--password-stdin"] : []
        let appleIssuer = backendOptions.appleIssuer == nil ? [] : ["--apple-issuer"]
        if isAtProvider { return (password + appleIssuer).first }
        if backendOptions.apple { return (password + ofProvider + (browserOptions.paste ? ["--paste"] : [])).first }
        return (provider + browserOptions.given + appleIssuer).first
    }

    mutating func run() async throws {
        if providerOptions.request.stepUp { return try await signIn() }
        let words = Array(CommandLine.arguments.dropFirst(2))
        let isRepeated = !namesServer
        if isRepeated { self = try LastSignIn(of: global.profile).command(with: words) }
        if serverOptions.name != nil {
            try resolveName()
            try validate()
        }
        if isRepeated {
            let server = serverOptions.issuer ?? serverOptions.backend ?? providerOptions.provider?.rawValue
            Terminal.note("Signing in again at \(server.map(ServerOptions.shown) ?? "the same server").")
        }
        try await signIn()
        guard !isRepeated, !backendOptions.noRemember, global.store != .memory else { return }
        let last = try LastSignIn(of: global.profile)
        guard providerOptions.request.param.isEmpty else { return last.remove(because: "--param may hold a secret") }
        last.save(words + files)
    }

    /// The options that name files, with absolute paths.
    private var files: [String] {
        let files = [
            ("client-secret-file", client.clientSecretFile), ("private-key", client.privateKey),
            ("workload-token", client.workloadToken), ("key-file", global.keyFile), ("ca-file", global.caFile),
            ("certificate", global.certificate), ("certificate-key", global.certificateKey),
        ]
        return files.compactMap { name, file in file.map { "--\(name)=\(ClientFiles.absolutePath($0))" } }
    }

    private func signIn() async throws {
        if let scope = providerOptions.scope, let slip = Scope.slip(in: scope) { Terminal.note(slip) }
        if providerOptions.request.stepUp { return try await signInAgain() }
        let login: OpenIDLogin? =
            isAtProvider
            ? try await OpenIDLogin(
                providerOptions,
                client,
                oauth,
                browserOptions,
                issuer: serverOptions.issuer.map { ProviderAddress.issuer(in: $0) },
                settings: try global.providerSettings()
            ) : nil
        // Before any request, so that two different passphrases leave no registered client behind.
        let store = try global.place().open(creating: !backendOptions.noRemember)
        let provider = try await login?.provider(in: store)
        let usesCertificate = global.certificate != nil
        let stored = provider.flatMap { login?.storedClient(at: $0, usesCertificate: usesCertificate) }
        if let stored, let program = stored.program {
            return try await signIn(program, stored, in: store)
        }
        let server = try await backend(provider, in: store)
        let session = AuthSession(
            backend: server,
            store: store,
            transport: try global.transport(),
            timeout: global.timeout,
            logger: global.logger
        )
        OpenSessions.add(session)
        let replaced = await global.storedSession(in: store, notAt: server)
        // Read now, because the sign-in may end that session.
        let title = backendOptions.noRemember ? nil : replaced?.title
        let user = try await completing(session) {
            if let login { return try await login.signIn(to: session, in: store) }
            return try await signInAtBackend(session)
        }
        // The tokens end by themselves if they can't be revoked.
        _ = try? await (replaced as? ProgramSession)?.signOut()
        if backendOptions.noRemember {
            // Those of the session that this sign-in has replaced.
            try await StoredClients.removeUnused(in: store)
        } else {
            let backend = StoredClient(authority: server.authority.id, usesCertificate: usesCertificate)
            try await StoredClients.save(stored ?? backend, in: store)
        }
        try await report(user, session, replaced: title)
    }

    /// Returns the backend once the store can be used; a session there also revokes tokens of earlier clients.
    private func backend(_ provider: OpenIDProvider?, in store: any SecureStore) async throws -> SessionBackend {
        let backend: SessionBackend = try provider.map { .openID($0) } ?? firstPartyBackend()
        guard !backendOptions.noRemember else { return backend }
        let kinds = try await clients(in: store).kinds(sendingWithCertificate: global.certificate != nil)
        return SessionBackend(backend.authority, revokingAt: kinds)
    }

    /// Returns the clients that the store holds, once it can be written and its items read.
    ///
    /// They may be in another keyring than new items. If they can't be read, they could not be saved after the sign-in.
    private func clients(in store: any SecureStore) async throws -> StoredClients {
        try await Terminal.unlocking(store) {
            try await store.probe()
            _ = try await store.item(forKey: StoreKey("session"))
            return try await .stored(in: store)
        }
    }

    /// Signs a program in: gets a token in any case, because the credentials may differ from those that work.
    private func signIn(
        _ program: ProgramLogin,
        _ stored: StoredClient,
        in store: any SecureStore
    ) async throws {
        guard let session = try ProgramSession(stored, in: store, settings: try global.providerSettings())
        else { throw ExitStatus.wrongArguments }
        _ = try await clients(in: store)
        let old = try? await global.storedSession(in: store, noteUnsent: { _ in })
        let title = old?.title
        try await session.signIn()
        var isSame = false
        if let user = old as? AuthSession { await user.signOut() }
        if let other = old as? ProgramSession {
            isSame = other.isSame(as: session)
            if !isSame || other.login.usesDPoP != program.usesDPoP { try await other.discardToken() }
        }
        try await StoredClients.save(stored, in: store)
        try await report(nil, session, replaced: isSame ? nil : title)
    }

    /// Signs the session's user in again, as an API requires.
    private func signInAgain() async throws {
        let session = try await global.storedProviderSession()
        try await session.probeStore()
        let login = try await UserLogin(
            providerOptions,
            browserOptions,
            at: session.provider?.profile ?? .standard
        )
        let options = providerOptions.parameters
        let challenge = StepUpChallenge(acrValues: options.acrValues, maxAge: options.maximumAge)
        let user = try await completing(session) {
            try await login.signIn(to: session, try await session.stepUpParameters(for: challenge, options))
        }
        try await report(user, session)
    }

    /// Performs a sign-in, and saves its session.
    private func completing(
        _ session: AuthSession,
        _ signIn: () async throws -> SessionUser?
    ) async throws -> SessionUser? {
        let user: SessionUser?
        do {
            user = try await signIn()
        } catch let error as AuthSessionError where error.code == .unreachable && error.isWithoutResponse {
            let address = session.backend.baseURL.description
            let advice = "Check the address \(address), or try again later."
            throw Failure(.unreachable, error.description, Failure.connectionAdvice(error.underlying, else: advice))
        } catch let error as AuthSessionError where error.code == .unreachable {
            let wait = error.retryAfter.map { "Try again in \($0.components.seconds) seconds." }
            throw Failure(
                .unreachable,
                error.description,
                wait ?? "The sign-in was not completed; try again later."
            )
        }
        try await session.finish()
        return user
    }

    private func firstPartyBackend() throws -> SessionBackend {
        .firstParty(
            baseURL: try BaseURL(serverOptions.backend ?? ""),
            contract: backendOptions.apple ? .sessionToken : .tokenPair,
            apiKey: try Self.apiKey()
        )
    }

    /// Returns the app's API key, from the environment because every user of the machine can read arguments.
    ///
    /// No other command reads it, so that the key goes to the backend of this sign-in alone.
    private static func apiKey() throws -> APIKey? {
        guard let text = ProcessInfo.processInfo.environment["SALLYPORT_API_KEY"], !text.isEmpty else { return nil }
        do {
            return try APIKey(text)
        } catch {
            throw Failure(
                .wrongArguments,
                error.description,
                "Check SALLYPORT_API_KEY: an API key is printable ASCII without spaces."
            )
        }
    }

    private func signInAtBackend(_ session: AuthSession) async throws -> SessionUser? {
        try await backendOptions.signIn(
            to: session,
            clientID: providerOptions.clientID,
            browser: browserOptions.browser(
                browserOptions.redirect(),
                ways: "forward the port of --redirect-port with ssh -L PORT:127.0.0.1:PORT"
            ),
            settings: try global.providerSettings()
        )
    }

    private func report(
        _ user: SessionUser?,
        _ session: any KeptSession,
        replaced title: String? = nil
    ) async throws {
        if printToken {
            Terminal.result(try await session.currentToken(validFor: .zero).token.unredacted)
        } else if json {
            try JSONOutput.print(LoginReport(user, session, profile: global.profile))
        }
        let protection = await session.protection
        let place =
            if backendOptions.noRemember || protection == .memory {
                "the session ends with this command"
            } else {
                "the session is kept in the \(protection)"
            }
        Terminal.note("Signed in as \(session.name(of: user)); \(place).")
        if let title { Terminal.note("This sign-in replaced \(title).") }
        for note in await SessionShortfall(session).notes { Terminal.note(note) }
    }
}

extension AuthSessionError {
    /// Whether the address itself may be wrong, because it sent no response.
    fileprivate var isWithoutResponse: Bool {
        // The backend reported it, in its redirect.
        if serverCode != nil { return false }
        if let error = underlying as? OpenIDError, error.operation == .token { return error.code == .unreachable }
        return (underlying as? APIError)?.status == nil
    }
}

extension Failure {
    /// The failure of a sign-in at an address that the options make neither a provider's nor a backend's.
    fileprivate static func clientMissing(at address: String) -> Failure {
        Failure(
            .wrongArguments,
            "\(address) may be a provider or a backend, and the options don't say which.",
            "At a provider, give --client-id ID; an empty one registers a client.\n"
                + "At a backend, give --email ADDRESS or --apple."
        )
    }

    fileprivate static func unknownName(_ name: String) -> Failure {
        Failure(
            .wrongArguments,
            "There is no provider and no account \(name).",
            "Give \(ProviderName.list). An account is a file \(name).json in \(NamedAccount.folders); an address begins "
                + "with https://."
        )
    }
}
